import type { NewPasskey, PasskeyOptions } from '@opensocial/contract';
import { startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';

/** The reason why the browser created no passkey, as a sentence for the user. */
export class CeremonyError extends Error {}

const errorTexts: Record<string, string> = {
  NotAllowedError: 'No passkey was created: the request was cancelled or took too long. Try again when you are ready.',
  InvalidStateError: 'This device already has a passkey for your account.',
  NotSupportedError: 'This device cannot store a passkey. Try another device or a security key.',
  ConstraintError: 'This device cannot store a passkey. Set up its screen lock, or try another device.',
  SecurityError: 'Passkeys cannot be created at this address. Open this page at the address where you sign in.',
};

/** Asks the browser to create a passkey (WebAuthn registration). */
export const registerPasskey = async (options: PasskeyOptions): Promise<NewPasskey> => {
  try {
    const { id, rawId, type, response } = await startRegistration({ optionsJSON: options });
    const { clientDataJSON, attestationObject, transports = [] } = response;
    return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : '';
    throw new CeremonyError(errorTexts[name] ?? 'The passkey could not be created. Try again, or use another device.', {
      cause,
    });
  }
};

/** Cancels the browser's prompt when the dialog closes. */
export const cancelPasskeyCreation = (): void => WebAuthnAbortService.cancelCeremony();
