"""Objects: published values and their versions, prompts, tags, aliases, registries and deletes."""

from __future__ import annotations

from typing import Any

import pytest
import weave
from needs import needs
from weave.trace.refs import ObjectRef


class Retriever(weave.Model):
    prompt: weave.StringPrompt
    limit: int

    @weave.op
    def predict(self, question: str) -> str:
        return self.prompt.format(question=question)


def name_of(client: Any, ref: ObjectRef, version: str) -> ObjectRef:
    return weave.ref(f"weave:///{client.entity}/{client.project}/object/{ref.name}:{version}")


def test_a_value_is_published_in_versions_and_read_by_each_of_their_names(client: Any) -> None:
    values: list[Any] = [{"temperature": 0.5, "stop": ["\n"], "big": 12345678901234567890, "世界": "ü🙂"}, {"temperature": 1}]
    first, second = (weave.publish(value, name="settings") for value in values)
    assert first.digest != second.digest
    assert weave.ref(first.uri()).get() == values[0]
    assert name_of(client, first, "latest").get() == values[1]
    assert name_of(client, first, "v0").get() == values[0]


def test_prompts_and_models_come_back_as_what_they_were(client: Any) -> None:
    messages = [{"role": "system", "content": "Be {mood}."}, {"role": "user", "content": "Hi"}]
    chat = weave.publish(weave.MessagesPrompt(messages=messages), name="chat")
    assert weave.ref(chat.uri()).get().format(mood="kind")[0]["content"] == "Be kind."
    retriever = Retriever(name="retriever", prompt=weave.StringPrompt("Answer {question}"), limit=3)
    ref = weave.publish(retriever)
    assert retriever.predict("why?") == "Answer why?"
    client.flush()
    again = weave.ref(ref.uri()).get()
    assert again.limit == 3
    assert again.prompt.content == "Answer {question}"
    assert [call.inputs["question"] for call in client.get_calls(filter={"input_refs": [ref.uri()]})] == ["why?"]


@needs("add_tags")
def test_tags_are_added_listed_and_removed(client: Any) -> None:
    first, second = (weave.publish({"n": n}, name="tagged") for n in range(2))
    client.add_tags(first, ["reviewed", "needs work"])
    client.add_tags(second.uri(), ["reviewed"])
    assert sorted(client.get_tags(first)) == ["needs work", "reviewed"]
    client.remove_tags(first, ["needs work", "never there"])
    assert client.get_tags_and_aliases(second) == (["reviewed"], ["latest"])
    assert client.list_tags() == ["reviewed"]
    with pytest.raises(Exception, match="tag name"):
        client.add_tags(first, ["not/a/tag"])


@needs("set_aliases")
def test_aliases_point_to_one_version_and_move(client: Any) -> None:
    first, second = (weave.publish({"n": n}, name="aliased") for n in range(2))
    client.set_aliases(first, ["prod", "stable"])
    client.set_aliases(second, "prod")
    assert client.get_aliases(first) == ["stable"]
    assert name_of(client, first, "prod").get() == {"n": 1}
    assert sorted(client.get_aliases(second)) == ["latest", "prod"]
    client.remove_aliases(first, "stable")
    assert client.list_aliases() == ["latest", "prod"]
    with pytest.raises(Exception, match="alias name"):
        client.set_aliases(first, "latest")


@needs("link_prompt_to_registry")
def test_a_prompt_is_linked_to_a_registry(client: Any) -> None:
    first, second = (weave.publish(weave.StringPrompt(text), name="linked") for text in ("one", "two"))
    target = f"wandb-registry-prompts/{client.project}"
    assert weave.link_prompt_to_registry(first, target_path=target, aliases=["prod"]).version_index == 0
    assert weave.link_prompt_to_registry(second.uri(), target_path=target).version_index == 1
    assert weave.link_prompt_to_registry(first, target_path=target).version_index == 0
    assert client.get_aliases(first) == []


def test_deleted_versions_are_gone_and_say_so(client: Any) -> None:
    first, second, _ = (weave.publish({"n": n}, name="deleted") for n in range(3))
    client.delete_object_version(second)
    with pytest.raises(ValueError, match="deleted:v1 was deleted at"):
        name_of(client, first, "v1").get()
    assert client.delete_object_versions("deleted", ["latest"]) == 1
    assert name_of(client, first, "latest").get() == {"n": 0}
    assert [obj.digest for obj in client._objects()] == [first.digest]


def test_the_ways_of_writing_a_prompt_come_back(client: Any) -> None:
    parts = [{"type": "text", "text": "See {what}"}, {"type": "image_url", "image_url": {"url": "https://x/{what}"}}]
    messages = [{"role": "user", "content": parts}]
    prompt = weave.MessagesPrompt(messages)
    prompt.name, prompt.description = "seeing", "Looks at {what}"
    again = weave.ref(weave.publish(prompt).uri()).get()
    assert (again.name, again.description, list(again.messages)) == ("seeing", "Looks at {what}", messages)
    assert again.format(what="cat")[0]["content"][0]["text"] == "See cat"
    text = weave.StringPrompt("Say {word} {{literally}}")
    text.name = "saying"
    assert weave.get(weave.publish(text).uri()).format(word="hi") == "Say hi {literally}"


def test_a_prompt_given_to_an_op_is_recorded_as_a_reference(client: Any) -> None:
    @weave.op
    def ask(prompt: weave.StringPrompt) -> str:
        return prompt.content

    prompt = weave.ref(weave.publish(weave.StringPrompt("Why?"), name="why").uri()).get()
    ask(prompt)
    client.flush()
    [call] = client.get_calls(expand_columns=["inputs.prompt"])
    assert call.inputs["prompt"].content == "Why?"
    assert len(client.get_calls(filter={"input_refs": [prompt.ref.uri()]})) == 1
    found = {"$expr": {"$eq": [{"$getField": "inputs.prompt.content"}, {"$literal": "Why?"}]}}
    assert len(client.get_calls(query=found, expand_columns=["inputs.prompt"])) == 1


def test_parts_of_an_object_are_read_by_reference(client: Any) -> None:
    ref = weave.publish({"list": [{"deep": 1}, {"deep": "ü/:%"}], "a b/c": {"x": None}}, name="nested")
    assert ref.with_key("list").with_index(1).with_key("deep").get() == "ü/:%"
    assert weave.ref(ref.with_key("a b/c").uri()).get() == {"x": None}
    inner = weave.publish({"n": 1}, name="inner")
    assert weave.ref(weave.publish({"inner": inner.uri()}, name="outer").with_key("inner").with_key("n").uri()).get() == 1


LIMIT = 3


def shorten(text: str) -> str:
    return text[:LIMIT]


@weave.op
def cut(text: str) -> str:
    return shorten(text)


def test_an_op_is_saved_with_the_code_it_needs(client: Any) -> None:
    cut("abcdef")
    client.flush()
    [call] = client.get_calls()
    op = weave.ref(call.op_name).get()
    code = op.get_captured_code()
    for line in ("LIMIT = 3", "def shorten(text: str) -> str:", "def cut(text: str) -> str:"):
        assert line in code
    assert op("uvwxyz") == "uvw"


def test_deleted_objects_and_ops_leave_their_calls_readable(client: Any) -> None:
    prompt = weave.publish(weave.StringPrompt("Why?"), name="gone")
    cut("abc")
    client.flush()
    [call] = client.get_calls()
    weave.ref(prompt.uri()).delete()
    weave.ref(call.op_name).delete()
    for uri in (prompt.uri(), call.op_name):
        with pytest.raises(ValueError, match="was deleted at"):
            weave.ref(uri).get()
    assert client.get_call(call.id).output == "abc"
    cut("abc")
    client.flush()
    assert len(client.get_calls()) == 2
