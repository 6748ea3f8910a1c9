"""Google's client for its models, traced by OpenInference."""

from google import genai
from google.genai import types
from openinference.instrumentation import using_session
from openinference.instrumentation.google_genai import GoogleGenAIInstrumentor
from scenes import COUNT, DESCRIPTION, HARD, PARAMETERS, PROVIDER_URL, REFUSED, TRIP, expect_failure, get_weather
from tracing import end, provider, span

GoogleGenAIInstrumentor().instrument(tracer_provider=provider)
client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=PROVIDER_URL))
model = "gemini-2.5-pro"


def around(name, session_id, work):
    with using_session(session_id), span(name, {"openinference.span.kind": "AGENT", "session.id": session_id}):
        work()


def trip():
    declaration = types.FunctionDeclaration(name="get_weather", description=DESCRIPTION, parameters_json_schema=PARAMETERS)
    config = types.GenerateContentConfig(system_instruction="You plan trips.", tools=[types.Tool(function_declarations=[declaration])])
    contents = [types.Content(role="user", parts=[types.Part(text=TRIP)])]
    answer = client.models.generate_content(model=model, contents=contents, config=config).candidates[0].content
    call = answer.parts[0].function_call
    result = types.Part.from_function_response(name=call.name, response={"result": get_weather(**call.args)})
    contents += [answer, types.Content(role="user", parts=[result])]
    client.models.generate_content(model=model, contents=contents, config=config)
    for _ in client.models.generate_content_stream(model=model, contents=COUNT):
        pass


around("plan trip", "trip-7", trip)
around("hard question", "trip-8", lambda: client.models.generate_content(model=model, contents=HARD))
expect_failure(lambda: client.models.generate_content(model=model, contents=REFUSED))
end()
