// Keeps the board fresh: a stream of server-sent events, and questions every two seconds where there is no stream.
import { $, boot, t } from "./dom.js";

const POLL_MS = 2000, TRY_STREAM_AGAIN_MS = 60000, SILENCE_MS = 32000, SAY_LOST_MS = 2500;
let tag = boot.tag;
let source = null, poll = 0, retry = 0, silence = 0, lost = 0;

/** Calls `onBoard(board)` now and after every change. */
export function follow(onBoard) {
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(open, SILENCE_MS);
    clearTimeout(lost);
    lost = 0;
    sayLink(true);
  };
  const missing = () => {
    lost ||= setTimeout(() => sayLink(false), SAY_LOST_MS);
  };
  const take = (newTag, text) => {
    tag = newTag;
    onBoard(JSON.parse(text));
  };
  const stop = () => {
    source?.close();
    source = null;
    clearInterval(poll);
    clearTimeout(retry);
    clearTimeout(silence);
  };
  const ask = async () => {
    try {
      const answer = await fetch(`/api/board?lang=${boot.language}&since=` + encodeURIComponent(tag), { cache: "no-store" });
      renewIf(answer.headers.get("X-Scripts"));
      if (answer.status === 200) take(answer.headers.get("X-Board-Tag"), await answer.text());
      if (answer.ok) heard();
      else missing();
    } catch {
      missing();
    }
  };
  const askOften = () => {
    stop();
    ask();
    poll = setInterval(ask, POLL_MS);
    retry = setTimeout(open, TRY_STREAM_AGAIN_MS);
  };
  function open() {
    stop();
    if (!window.EventSource) return askOften();
    source = new EventSource(`/api/stream?lang=${boot.language}&since=` + encodeURIComponent(tag));
    source.addEventListener("open", heard);
    source.addEventListener("beat", heard);
    source.addEventListener("version", ({ data }) => renewIf(JSON.parse(data)));
    source.addEventListener("board", (message) => {
      heard();
      take(message.lastEventId, message.data);
    });
    source.addEventListener("error", () => {
      missing();
      if (source?.readyState === EventSource.CLOSED) askOften(); // refused: all streams are taken
      else ask(); // it tries again by itself; something on the way may let nothing but questions through
    });
  }
  // A phone that slept comes back with a dead stream and no error.
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && open());
  window.addEventListener("pageshow", (event) => event.persisted && open());
  window.addEventListener("online", open);
  window.addEventListener("pagehide", stop);
  onBoard(boot.board);
  open();
}

/** Where the referee was brought up to date while this page was open, its scripts are fetched anew, once. */
function renewIf(version) {
  if (!version || version === boot.version) return;
  try {
    if (sessionStorage.getItem("referee.version") === version) return; // it was, and something on the way keeps the old ones
    sessionStorage.setItem("referee.version", version);
    location.reload();
  } catch { /* where nothing is kept, it might be loaded again and again */ }
}

function sayLink(fine) {
  const link = $("link");
  if (!link || link.hidden === fine) return;
  link.hidden = fine;
  link.textContent = fine ? "" : t("link.lost");
}
