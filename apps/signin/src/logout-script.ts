/**
 * Signs out of sites in frames: several at the same time, each with a timeout. A site that has answered sends its frame to a document of ours,
 * which has the outcome. Some sites have a page that does not answer; the form reports that a frame has loaded it. Afterwards the form of the page continues on the server. If the script does not run, the form leads to every
 * site in turn.
 */
type FramedRequest =
  | { redirect: string }
  | { form: { action: string; fields: Record<string, string> } }
  | { page: string; id: number };

type State = 'loading' | 'informed' | 'pending' | 'failed';

const maximumFrames = 6;
/** The time for one site, in milliseconds. */
const siteTimeout = 5_000;

/** What stands beside the name of a site, and what a screen reader says. */
const texts: Record<State, { short: string; spoken: (name: string) => string }> = {
  loading: { short: 'Signing you out…', spoken: (name) => `Signing you out of ${name}…` },
  informed: { short: 'Signed out', spoken: (name) => `Signed out of ${name}.` },
  pending: { short: 'Signing you out…', spoken: (name) => `${name} needs one more step.` },
  failed: { short: 'No answer', spoken: (name) => `${name} did not answer.` },
};

/**
 * Without allow-top-navigation, a site that does not want to be framed cannot replace this page. The site needs its scripts, forms and
 * cookies to sign out.
 */
const sandbox = 'allow-forms allow-scripts allow-same-origin';

const show = (line: HTMLElement, state: State): void => {
  line.dataset['state'] = state;
  const { short, spoken } = texts[state];
  const text = line.querySelector('.site-text');
  if (text) text.textContent = short;
  const status = document.querySelector('.status');
  if (status) status.textContent = spoken(line.dataset['name'] ?? '');
};

const makeFrame = (place: number): HTMLIFrameElement => {
  const frame = document.createElement('iframe');
  frame.className = 'site-frame';
  // A site may read the name. It tells the number of sites at most, and not which they are.
  frame.name = `frame-${place}`;
  frame.title = 'Sign out';
  frame.referrerPolicy = 'no-referrer';
  frame.setAttribute('sandbox', sandbox);
  frame.setAttribute('aria-hidden', 'true');
  frame.tabIndex = -1;
  return frame;
};

const postInto = (frame: HTMLIFrameElement, action: string, fields: Record<string, string>): void => {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  form.target = frame.name;
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
  form.remove();
};

/** The outcome in the frame. A document of another origin is not readable; its site has not answered yet. */
const outcomeIn = (frame: HTMLIFrameElement): State | undefined => {
  const outcome = frame.contentDocument?.documentElement.dataset['outcome'];
  return outcome === 'informed' || outcome === 'pending' || outcome === 'failed' ? outcome : undefined;
};

const fieldOf = (form: HTMLFormElement, name: string): HTMLInputElement | undefined => {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : undefined;
};

/** The outcome after a frame has loaded a document. A page that does not answer has been loaded, which is all that can be known. */
const outcomeOf = (frame: HTMLIFrameElement, request: FramedRequest, form: HTMLFormElement): State | undefined => {
  if (!('page' in request)) return outcomeIn(frame);
  const loaded = fieldOf(form, 'loaded');
  const ids = new Set(loaded?.value.split(' ')).add(String(request.id));
  if (loaded) loaded.value = [...ids].join(' ').trim();
  return 'informed';
};

/** Signs out of one site. A frame that took too long stays: its answer still counts if it arrives before the page continues. */
const signOutOf = (
  form: HTMLFormElement,
  line: HTMLElement,
  { request, place }: { request: FramedRequest; place: number },
): Promise<void> =>
  new Promise((resolve) => {
    const frame = makeFrame(place);
    const timer = setTimeout(() => {
      show(line, 'failed');
      resolve();
    }, siteTimeout);
    frame.addEventListener('load', () => {
      const outcome = outcomeOf(frame, request, form);
      if (!outcome) return;
      clearTimeout(timer);
      show(line, outcome);
      resolve();
    });
    show(line, 'loading');
    if ('page' in request) frame.src = request.page;
    if ('redirect' in request) frame.src = request.redirect;
    document.body.append(frame);
    if ('form' in request) postInto(frame, request.form.action, request.form.fields);
  });

const signOutOfAll = async (form: HTMLFormElement): Promise<void> => {
  const queue = [...document.querySelectorAll<HTMLElement>('[data-request]')].map((line, place) => ({ line, place }));
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const request: FramedRequest = JSON.parse(next.line.dataset['request'] ?? '');
      await signOutOf(form, next.line, { request, place: next.place });
    }
  };
  const framed = fieldOf(form, 'framed');
  if (framed) framed.value = 'yes';
  await Promise.all(Array.from({ length: maximumFrames }, work));
  form.requestSubmit();
};

const form = document.querySelector<HTMLFormElement>('form[data-logout]');
if (form) {
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  // A page that the browser has kept would not continue: the server knows which sites are left.
  window.addEventListener('pageshow', ({ persisted }) => persisted && window.location.reload());
  void signOutOfAll(form);
}
