import { vi } from 'vitest';

type Heard = Record<string, (event: unknown) => void>;

/** An upload that the test completes or fails. */
class Sending {
  path = '';
  headers = new Headers();
  form = new FormData();
  isAborted = false;
  status = 0;
  responseText = '';
  retryAfter: string | null = null;
  private heard: Heard = {};
  private heardOfUpload: Heard = {};

  upload = {
    addEventListener: (name: string, listener: (event: unknown) => void) => (this.heardOfUpload[name] = listener),
  };
  addEventListener = (name: string, listener: (event: unknown) => void) => (this.heard[name] = listener);
  open = (method: string, path: string) => (this.path = `${method} ${path}`);
  setRequestHeader = (name: string, value: string) => this.headers.set(name, value);
  getResponseHeader = () => this.retryAfter;
  send = (form: FormData) => (this.form = form);
  abort = () => {
    this.isAborted = true;
    this.heard['abort']?.({});
  };

  progress(percent: number) {
    this.heardOfUpload['progress']?.({ loaded: percent * 10, total: 1_000 });
  }

  answer(status: number, body: unknown) {
    this.answerText(status, JSON.stringify(body));
  }

  answerText(status: number, responseText: string) {
    Object.assign(this, { status, responseText });
    this.heard['load']?.({});
  }

  fail() {
    this.heard['error']?.({});
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
