// Pages from a disk may start no Worker; the search has a hidden frame in place of one.
class IFrameWorker extends EventTarget {
  constructor(url) {
    super();
    const frame = document.createElement('iframe');
    frame.hidden = true;
    frame.srcdoc = `<script>postMessage = (data) => parent.dispatchEvent(
      new MessageEvent('searched', {data}));</script><script src="${url}"></script>`;
    this.ready = new Promise((resolve) => frame.addEventListener('load', resolve));
    this.frame = frame;
    document.body.append(frame);
    addEventListener('searched', ({data}) =>
      this.dispatchEvent(new MessageEvent('message', {data})));
  }

  async postMessage(data) {
    await this.ready;
    this.frame.contentWindow.dispatchEvent(new MessageEvent('message', {data}));
  }
}
if (location.protocol === 'file:') {
  window.IFrameWorker = window.Worker = IFrameWorker;
}
