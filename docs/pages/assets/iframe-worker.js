// Browsers start no worker for a page on a disk. There an iframe takes its place, so that the search,
// which is a worker, works without a server and without a network.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inner = frame.contentWindow;
      const inner = this.inner.document;
      inner.open();
      this.inner.postMessage = (data) => this.deliver(this, data);
      const script = inner.createElement("script");
      script.src = url;
      this.ready = new Promise((resolve, reject) => {
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${url} is not there`));
      });
      inner.append(inner.createElement("html"));
      inner.documentElement.append(script);
      inner.close();
    }
    postMessage(data) {
      this.ready.then(() => this.deliver(this.inner, data));
    }
    deliver(target, data) {
      setTimeout(() => target.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
