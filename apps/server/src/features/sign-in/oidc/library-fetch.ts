import type { Config } from '../../../config.ts';
import { callOutbound } from '../../../http/outbound.ts';

const maximumBytes = 256 * 1024;

/** Fetches the public keys of clients for the library, with the limits that apply to every address that owners enter. */
export const fetchForLibrary =
  ({ allowsPrivateTargets }: Pick<Config, 'allowsPrivateTargets'>) =>
  async (input: string | URL | Request): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    const { status, body } = await callOutbound({
      url,
      headers: { accept: 'application/json' },
      allowsPrivate: allowsPrivateTargets,
      maximumBytes,
      timeout: 5_000,
    });
    return new Response(new Uint8Array(body), { status, headers: { 'content-type': 'application/json' } });
  };
