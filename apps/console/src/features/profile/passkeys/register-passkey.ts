import type { NewPasskey, PasskeyOptions } from '@opensocial/contract';
import { startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';

/** The reason why the browser created no passkey, as a sentence for the user. */
export class CeremonyError extends Error {}

const sentences: Record<string, string> = {
  NotAllowedError: 'No passkey was made: it was cancelled, or took too long. Try again when you are ready.',
  InvalidStateError: 'This device holds a passkey of your account already.',
  NotSupportedError: 'This device cannot hold a passkey. Try another one, or a security key.',
  ConstraintError: 'This device cannot hold a passkey. Set up its screen lock, or try another one.',
  SecurityError: 'No passkey can be made at this address. Open this page at the address that you sign in at.',
};

/** Asks the browser to create a passkey (WebAuthn registration). */
export const registerPasskey = async (options: PasskeyOptions): Promise<NewPasskey> => {
  try {
    const { id, rawId, type, response } = await startRegistration({ optionsJSON: options });
    const { clientDataJSON, attestationObject, transports = [] } = response;
    return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : '';
    throw new CeremonyError(sentences[name] ?? 'No passkey could be made. Try again, or on another device.', { cause });
  }
};

/** Cancels the browser's prompt when the dialog closes. */
export const cancelPasskeyCreation = (): void => WebAuthnAbortService.cancelCeremony();
