// In every worker, below the compiled machine and its CALLS: answers the page's messages.
// In: {id, call, argument}. Out: {id, answer} or {id, error}; {event} on the way.
"use strict";

// What tools/web/bundle.py packed.
async function bytesOf(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

self.onmessage = async ({ data: { id, call, argument } }) => {
  try {
    self.postMessage({ id, answer: await CALLS[call](argument) });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
};
