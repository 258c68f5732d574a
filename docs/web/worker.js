// In every worker, below the compiled machine and its CALLS: answers the page's messages.
// In: {id, call, argument}. Out: {id, answer} or {id, error}; {event} on the way.
"use strict";

self.onmessage = async ({ data: { id, call, argument } }) => {
  try {
    self.postMessage({ id, answer: await CALLS[call](argument) });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
};
