// Runs before the first paint, as a classic script: keep it free of imports.

const storedScheme = (): string | null => {
  try {
    return localStorage.getItem('mantine-color-scheme-value');
  } catch {
    return null;
  }
};

const systemScheme = (): string => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

const scheme = storedScheme();
document.documentElement.dataset['mantineColorScheme'] =
  scheme === 'light' || scheme === 'dark' ? scheme : systemScheme();

// zod tests whether it can compile its checks with eval, which the CSP refuses and reports. This is `config({ jitless })`, set
// before any schema is created.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// §2.1: the activation page skips the spinner.
if (location.pathname === '/set-password') document.documentElement.dataset['boot'] = 'quiet';

const begunCalls = new Map<string, Promise<Response>>();
Object.assign(globalThis, { begunCalls });
// A call that the console makes only later must not get an old answer.
setTimeout(() => begunCalls.clear(), 10_000);

/**
 * Begins a call that the console makes first, because a slow device needs longer to load and to start the console than the server to
 * answer. `takeBegunCall` has the response.
 */
const begin = (path: string): void => {
  const response = fetch(path, { headers: { accept: 'application/json' } });
  // An error is handled where the response is used.
  response.catch(() => undefined);
  begunCalls.set(path, response);
};

// §2.1: the activation page needs no session.
if (location.pathname !== '/set-password') begin('/server/getsession');

const [, network] = /^\/sso-servers\/([a-z0-9-]+)\//.exec(location.pathname) ?? [];
if (network !== undefined) begin(`/server/sso/owner/${network}`);
