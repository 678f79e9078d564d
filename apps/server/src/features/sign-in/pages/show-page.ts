import { assets, type Look } from '@opensocial/signin';
import type { FastifyReply } from 'fastify';
import { pagePolicy } from '../../../http/headers.ts';
import { sendPage } from '../../../http/pages.ts';
import type { Parts } from '../../../parts.ts';
import { csrfTokenOf, type SignInFlow } from '../flow/sign-in-flow.ts';
import { toLook } from './look.ts';

/** Renders a page of a sign-in with the look of its destination, and sends it. `asksPasskey` allows the script for passkeys. */
export const showPage = (
  { config, vault }: Parts,
  reply: FastifyReply,
  flow: SignInFlow,
  render: (look: Look, csrf: string) => string,
  { asksPasskey = false }: { asksPasskey?: boolean } = {},
) => {
  const look = toLook(flow.destination);
  const script = asksPasskey ? `${config.publicUrl}${assets.passkeyScript.path}` : undefined;
  const footer = look.footer && 'html' in look.footer ? look.footer : undefined;
  return sendPage(reply, render(look, csrfTokenOf(vault, flow)), pagePolicy({ script, footer }));
};
