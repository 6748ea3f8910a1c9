"""Media and other contents: values that the client keeps as files beside the call or object that names them."""

from __future__ import annotations

import datetime
import io
import logging
import wave
from pathlib import Path
from typing import Any

import pytest
import weave
from needs import since
from PIL import Image
from weave.trace.serialization.serialize import from_json

PIXELS = [(x * 16, y * 16, (x + y) * 8) for y in range(16) for x in range(16)]
# Above 100,000 bytes, where other servers begin to cut files in pieces.
LARGE = bytes(range(256)) * 5_000


def picture() -> Image.Image:
    image = Image.new("RGB", (16, 16))
    image.putdata(PIXELS)
    return image


def sound() -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(8_000)
        writer.writeframes(b"\x01\x02" * 800)
    return buffer.getvalue()


@pytest.fixture(autouse=True)
def _nothing_fails_unseen(caplog: pytest.LogCaptureFixture) -> Any:
    """The client only logs an upload that failed."""
    with caplog.at_level(logging.ERROR):
        yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.ERROR] == []


def test_images_come_back_pixel_by_pixel(client: Any) -> None:
    @weave.op
    def mirror(image: Image.Image) -> dict:
        return {"images": [image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)], "size": image.size}

    mirror(picture())
    client.flush()
    [call] = client.get_calls()
    assert list(call.inputs["image"].convert("RGB").getdata()) == PIXELS
    [mirrored] = call.output["images"]
    assert list(mirrored.transpose(Image.Transpose.FLIP_LEFT_RIGHT).convert("RGB").getdata()) == PIXELS
    assert list(call.output["size"]) == [16, 16]
    published = weave.publish(picture(), name="picture")
    client.flush()
    assert list(weave.ref(published.uri()).get().convert("RGB").getdata()) == PIXELS


def test_the_format_of_an_image_is_kept(client: Any, tmp_path: Path) -> None:
    picture().save(tmp_path / "photo.jpg", format="JPEG")

    @weave.op
    def load() -> Image.Image:
        return Image.open(tmp_path / "photo.jpg")

    load()
    client.flush()
    assert client.get_calls()[0].output.format == "JPEG"


def test_sounds_come_back_frame_by_frame(client: Any, tmp_path: Path) -> None:
    (tmp_path / "tone.wav").write_bytes(sound())

    @weave.op
    def speak(reader: wave.Wave_read) -> dict:
        return {"file": weave.Audio.from_path(tmp_path / "tone.wav"), "data": weave.Audio.from_data(b"ID3 not music", "mp3")}

    speak(wave.open(io.BytesIO(sound())))
    client.flush()
    [call] = client.get_calls()
    assert call.inputs["reader"].readframes(800) == b"\x01\x02" * 800
    assert (call.output["file"].format, call.output["file"].data) == ("wav", sound())
    assert (call.output["data"].format, call.output["data"].data) == ("mp3", b"ID3 not music")


def test_contents_of_every_origin_keep_their_bytes_and_what_is_known_of_them(client: Any, tmp_path: Path) -> None:
    (tmp_path / "übung 1.csv").write_text("a,b\n1,世界\n", encoding="utf-8")
    contents = {
        "bytes": weave.Content.from_bytes(LARGE, mimetype="application/octet-stream", metadata={"pages": 3}),
        "text": weave.Content.from_text("# Title 世界", extension="md"),
        "path": weave.Content.from_path(tmp_path / "übung 1.csv"),
        "base64": weave.Content.from_base64("JVBERi0xLjQK", mimetype="application/pdf"),
        "url": weave.Content.from_data_url("data:text/html;base64,PGgxPkhpPC9oMT4="),
        "empty": weave.Content.from_bytes(b"", mimetype="text/plain"),
    }

    @weave.op
    def read(contents: dict) -> dict:
        return contents

    read(contents)
    client.flush()
    [call] = client.get_calls()
    for name, sent in contents.items():
        found = call.output[name]
        assert found.data == sent.data, name
        assert (found.mimetype, found.filename, found.size, found.metadata) == (sent.mimetype, sent.filename, sent.size, sent.metadata)
        assert call.inputs["contents"][name].data == sent.data, name
    assert call.output["text"].as_string() == "# Title 世界"


def test_markdown_and_times_come_back(client: Any) -> None:
    moment = datetime.datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))

    @weave.op
    def report(at: datetime.datetime) -> weave.Markdown:
        return weave.Markdown("# Report\n" + "long " * 500, code_theme="vim")

    report(moment)
    client.flush()
    [call] = client.get_calls()
    assert call.inputs["at"] == moment
    assert (call.output.markup, call.output.code_theme) == ("# Report\n" + "long " * 500, "vim")


@since("0.54.0", "reads views as they are stored")
def test_a_view_of_a_call_is_kept_in_its_summary(client: Any) -> None:
    @weave.op
    def draw() -> None:
        weave.set_view("readme", "# Hello", extension="md")

    draw()
    client.flush()
    [call] = client.get_calls()
    assert call.summary["weave"]["status"] == "success"
    view = call.summary["weave"]["views"]["readme"]
    # Some builds of the client leave what stands in a summary as it is stored.
    content = view if isinstance(view, weave.Content) else from_json(dict(view), call.project_id, client.server)
    assert content.as_string() == "# Hello"


def test_a_dataset_holds_images(client: Any) -> None:
    ref = weave.publish(weave.Dataset(name="pictures", rows=[{"n": n, "image": picture()} for n in range(3)]))
    client.flush()
    rows = list(weave.ref(ref.uri()).get().rows)
    assert [row["n"] for row in rows] == [0, 1, 2]
    assert list(rows[2]["image"].convert("RGB").getdata()) == PIXELS


def test_the_same_file_in_another_project_is_its_own(client: Any, project: str) -> None:
    weave.publish(weave.Content.from_bytes(LARGE), name="content")
    client.flush()
    weave.finish()
    again = weave.init(f"{project}-2")
    ref = weave.publish(weave.Content.from_bytes(LARGE), name="content")
    again.flush()
    assert weave.ref(ref.uri()).get().data == LARGE
