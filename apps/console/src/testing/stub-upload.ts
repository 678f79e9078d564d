import { vi } from 'vitest';

type Listeners = Record<string, (event: unknown) => void>;

/** An upload that the test completes or fails. */
class Sending {
  path = '';
  headers = new Headers();
  form = new FormData();
  isAborted = false;
  status = 0;
  responseText = '';
  retryAfter: string | null = null;
  private listeners: Listeners = {};
  private uploadListeners: Listeners = {};

  upload = {
    addEventListener: (name: string, listener: (event: unknown) => void) => (this.uploadListeners[name] = listener),
  };
  addEventListener = (name: string, listener: (event: unknown) => void) => (this.listeners[name] = listener);
  open = (method: string, path: string) => (this.path = `${method} ${path}`);
  setRequestHeader = (name: string, value: string) => this.headers.set(name, value);
  getResponseHeader = () => this.retryAfter;
  send = (form: FormData) => (this.form = form);
  abort = () => {
    this.isAborted = true;
    this.listeners['abort']?.({});
  };

  progress(percent: number) {
    this.uploadListeners['progress']?.({ loaded: percent * 10, total: 1_000 });
  }

  answer(status: number, body: unknown) {
    this.answerText(status, JSON.stringify(body));
  }

  answerText(status: number, responseText: string) {
    Object.assign(this, { status, responseText });
    this.listeners['load']?.({});
  }

  fail() {
    this.listeners['error']?.({});
  }
}

/** Stubs XMLHttpRequest and returns the list of uploads, in order. */
export const stubUpload = (): Sending[] => {
  const sent: Sending[] = [];
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends Sending {
      constructor() {
        super();
        sent.push(this);
      }
    },
  );
  return sent;
};
