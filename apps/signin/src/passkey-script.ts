import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser';

/**
 * The one script that the pages have of their own: it asks the browser for a passkey, and sends the answer by the form that
 * the server made. Where it does not run, the form stays out of sight and the page does without.
 */
const offerPasskey = (form: HTMLFormElement): void => {
  const optionsJSON = JSON.parse(form.dataset['passkey'] ?? '');
  const alert = form.querySelector<HTMLElement>('[role="alert"]');

  const ask = async (useBrowserAutofill: boolean): Promise<void> => {
    const answer = await startAuthentication({ optionsJSON, useBrowserAutofill });
    const field = form.elements.namedItem('answer');
    if (field instanceof HTMLInputElement) field.value = JSON.stringify(answer);
    form.submit();
  };

  const say = (sentence: string): void => {
    if (!alert) return;
    alert.hidden = sentence === '';
    for (const line of alert.getElementsByTagName('p')) line.textContent = sentence;
  };

  /** Passkeys among what the email field suggests, where the browser does that. */
  const suggest = (): void => {
    if (optionsJSON.allowCredentials === undefined) ask(true).catch(() => {});
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    say('');
    ask(false).catch((error: unknown) => {
      const name = error instanceof Error ? error.name : '';
      // Another one was begun meanwhile.
      if (name === 'AbortError') return;
      say(sentences[name] ?? 'The passkey could not be used. Try again, or in another way.');
      suggest();
    });
  });
  form.hidden = false;
  for (const shown of document.querySelectorAll<HTMLElement>('[data-with-passkeys]')) shown.hidden = false;
  for (const hidden of document.querySelectorAll<HTMLElement>('[data-without-passkeys]')) hidden.hidden = true;
  suggest();
};

const sentences: Record<string, string> = {
  NotAllowedError: 'No passkey was used: it was cancelled, or took too long.',
  SecurityError: 'Passkeys cannot be used at this address.',
};

if (browserSupportsWebAuthn()) document.querySelectorAll<HTMLFormElement>('form[data-passkey]').forEach(offerPasskey);
