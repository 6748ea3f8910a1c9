"""Conversations that chat templates are compared with, in the form that Transformers takes: with arguments of calls as objects."""

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": 'Weather "now" in a <city> & more 🦊',
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "Name of the city"},
                    "unit": {"type": "string", "enum": ["C", "F"]},
                    "days": {"type": "integer", "minimum": 1, "default": 1.0},
                },
                "required": ["city"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "add",
            "description": "Adds",
            "parameters": {
                "type": "object",
                "properties": {
                    "a": {"type": "number"},
                    "b": {"type": ["number", "null"]},
                    "deep": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "boolean"}}}},
                },
                "required": ["a", "b"],
            },
            "strict": True,
        },
    },
]


def call(name, arguments, identifier):
    return {"id": identifier, "type": "function", "function": {"name": name, "arguments": arguments}}


def user(text):
    return {"role": "user", "content": text}


def system(text):
    return {"role": "system", "content": text}


def assistant(text, **others):
    return {"role": "assistant", "content": text, **others}


def result(text, identifier, name):
    return {"role": "tool", "content": text, "tool_call_id": identifier, "name": name}


WEATHER = call("get_weather", {"city": "Zürich", "days": 2}, "abcdefgh1")
ADD = call("add", {"a": 1.0, "b": None, "deep": [{"x": True}]}, "abcdefgh2")
WARM = result('{"t": 20}', "abcdefgh1", "get_weather")
SUM = result("2", "abcdefgh2", "add")

CONVERSATIONS = [
    [user("Hi")],
    [system("You are  kind.\n"), user(" Hello there \n")],
    [system("s"), user("a"), assistant("b"), user("c"), assistant("d")],
    [user("q"), assistant("<think>\nhmm\n</think>\n\nanswer"), user("r")],
    [user("q"), assistant("answer", reasoning_content="because"), user("r"), assistant("x", reasoning_content="y")],
    [user("q"), assistant("", tool_calls=[WEATHER]), WARM],
    [user("q"), assistant("", tool_calls=[WEATHER]), WARM, assistant("It is 20."), user("thanks")],
    [system("sys"), user("q"), assistant("", tool_calls=[WEATHER, ADD]), WARM, SUM, assistant("done")],
    [user("q"), assistant("Let me look.", tool_calls=[WEATHER]), WARM, assistant("", tool_calls=[ADD]), SUM, assistant("fin", reasoning_content="r2")],
    [user("q"), assistant("", reasoning_content="think first", tool_calls=[WEATHER])],
    [user("q"), assistant("", tool_calls=[ADD])],
    [user("a"), user("b")],
    [assistant("first"), user("b")],
    [system("only")],
    [user("")],
    [{"role": "developer", "content": "dev"}, user("x")],
]

VARIABLES = [
    {"enable_thinking": False},
    {"enable_thinking": True},
    {"thinking": True},
    {"date_string": "01 Jan 2026"},
    {"tools_in_user_message": False},
    {"reasoning_effort": "low"},
    {"xml_tools": TOOLS},
    {"keep_past_thinking": True},
    {"builtin_tools": ["brave_search"]},
]


def cases():
    """All conversations with and without tools and the opening of an answer, and some of them with variables of single templates."""
    for messages in CONVERSATIONS:
        for tools in (None, TOOLS):
            for opens_answer in (False, True):
                yield {"messages": messages, "tools": tools, "add_generation_prompt": opens_answer, "variables": {}}
    for variables in VARIABLES:
        for messages in (CONVERSATIONS[1], CONVERSATIONS[8]):
            yield {"messages": messages, "tools": TOOLS, "add_generation_prompt": True, "variables": variables}


def fewer_cases():
    """Each conversation with tools and the opening of an answer, some without either, and the variables once."""
    for place, messages in enumerate(CONVERSATIONS):
        yield {"messages": messages, "tools": TOOLS, "add_generation_prompt": True, "variables": {}}
        if place % 3 == 0:
            yield {"messages": messages, "tools": None, "add_generation_prompt": place % 2 == 0, "variables": {}}
    for variables in VARIABLES[:3]:
        yield {"messages": CONVERSATIONS[8], "tools": TOOLS, "add_generation_prompt": True, "variables": variables}
