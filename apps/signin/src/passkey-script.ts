import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser';

/**
 * Asks the browser for a passkey, and submits the answer with the form that the server rendered. If it does not run, the form stays
 * hidden and the page works without it.
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

  const showError = (text: string): void => {
    if (!alert) return;
    alert.hidden = text === '';
    for (const line of alert.getElementsByTagName('p')) line.textContent = text;
  };

  /** Offers passkeys among the suggestions of the email field, if the browser supports that. */
  const suggest = (): void => {
    if (optionsJSON.allowCredentials === undefined) ask(true).catch(() => {});
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    showError('');
    ask(false).catch((error: unknown) => {
      const name = error instanceof Error ? error.name : '';
      // Another request was started meanwhile.
      if (name === 'AbortError') return;
      showError(errorTexts[name] ?? 'The passkey could not be used. Try again, or sign in another way.');
      suggest();
    });
  });
  form.hidden = false;
  for (const shown of document.querySelectorAll<HTMLElement>('[data-with-passkeys]')) shown.hidden = false;
  for (const hidden of document.querySelectorAll<HTMLElement>('[data-without-passkeys]')) hidden.hidden = true;
  suggest();
};

const errorTexts: Record<string, string> = {
  NotAllowedError: 'No passkey was used: the request was cancelled or took too long.',
  SecurityError: 'Passkeys cannot be used at this address.',
};

if (browserSupportsWebAuthn()) document.querySelectorAll<HTMLFormElement>('form[data-passkey]').forEach(offerPasskey);
