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
