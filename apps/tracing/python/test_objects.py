"""Objects: published values and their versions, prompts, tags, aliases, registries and deletes."""

from __future__ import annotations

from typing import Any

import pytest
import weave
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
    assert weave.ref(first.uri).get() == values[0]
    assert name_of(client, first, "latest").get() == values[1]
    assert name_of(client, first, "v0").get() == values[0]
    client.set_aliases(second, "prod")
    assert name_of(client, first, "prod").get() == values[1]


def test_prompts_and_models_come_back_as_what_they_were(client: Any) -> None:
    messages = [{"role": "system", "content": "Be {mood}."}, {"role": "user", "content": "Hi"}]
    chat = weave.publish(weave.MessagesPrompt(messages=messages), name="chat")
    assert weave.ref(chat.uri).get().format(mood="kind")[0]["content"] == "Be kind."
    retriever = Retriever(name="retriever", prompt=weave.StringPrompt("Answer {question}"), limit=3)
    ref = weave.publish(retriever)
    assert retriever.predict("why?") == "Answer why?"
    client.flush()
    again = weave.ref(ref.uri).get()
    assert again.limit == 3
    assert again.prompt.content == "Answer {question}"
    assert [call.inputs["question"] for call in client.get_calls(filter={"input_refs": [ref.uri]})] == ["why?"]


def test_tags_are_added_listed_and_removed(client: Any) -> None:
    first, second = (weave.publish({"n": n}, name="tagged") for n in range(2))
    client.add_tags(first, ["reviewed", "needs work"])
    client.add_tags(second.uri, ["reviewed"])
    assert sorted(client.get_tags(first)) == ["needs work", "reviewed"]
    client.remove_tags(first, ["needs work", "never there"])
    assert client.get_tags_and_aliases(second) == (["reviewed"], ["latest"])
    assert client.list_tags() == ["reviewed"]
    with pytest.raises(Exception, match="tag name"):
        client.add_tags(first, ["not/a/tag"])


def test_aliases_point_to_one_version_and_move(client: Any) -> None:
    first, second = (weave.publish({"n": n}, name="aliased") for n in range(2))
    client.set_aliases(first, ["prod", "stable"])
    client.set_aliases(second, "prod")
    assert client.get_aliases(first) == ["stable"]
    assert sorted(client.get_aliases(second)) == ["latest", "prod"]
    client.remove_aliases(first, "stable")
    assert client.list_aliases() == ["latest", "prod"]
    with pytest.raises(Exception, match="alias name"):
        client.set_aliases(first, "latest")


def test_a_prompt_is_linked_to_a_registry(client: Any) -> None:
    first, second = (weave.publish(weave.StringPrompt(text), name="linked") for text in ("one", "two"))
    target = f"wandb-registry-prompts/{client.project}"
    assert weave.link_prompt_to_registry(first, target_path=target, aliases=["prod"]).version_index == 0
    assert weave.link_prompt_to_registry(second.uri, target_path=target).version_index == 1
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
