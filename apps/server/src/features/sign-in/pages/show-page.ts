import type { Asset, Look } from '@opensocial/signin';
import type { FastifyReply } from 'fastify';
import { pagePolicy } from '../../../http/headers.ts';
import { sendPage } from '../../../http/pages.ts';
import type { Parts } from '../../../parts.ts';
import { csrfTokenOf, type SignInFlow } from '../flow/sign-in-flow.ts';
import { toLook } from './look.ts';

/** Renders a page of a sign-in with the look of its destination, and sends it. `script` is the only one that the page may load. */
export const showPage = (
  { config, vault }: Parts,
  reply: FastifyReply,
  flow: SignInFlow,
  render: (look: Look, csrf: string) => string,
  script?: Asset,
) => {
  const look = toLook(flow.destination);
  const footer = look.footer && 'html' in look.footer ? look.footer : undefined;
  return sendPage(
    reply,
    render(look, csrfTokenOf(vault, flow)),
    pagePolicy({ script: script && `${config.publicUrl}${script.path}`, footer }),
  );
};
