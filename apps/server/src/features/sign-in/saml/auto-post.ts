import type { PostForm } from '@opensocial/saml';
import { type AutoPostTitle, autoPostScriptHash, renderAutoPost } from '@opensocial/signin';
import type { FastifyReply } from 'fastify';
import { autoPostPolicy } from '../../../http/headers.ts';
import { sendPage } from '../../../http/pages.ts';

/** Sends a page whose script posts a form at once: the SAML POST binding. */
export const sendAutoPost = (reply: FastifyReply, form: PostForm, title: AutoPostTitle) =>
  sendPage(reply, renderAutoPost({ ...form, title }), autoPostPolicy(autoPostScriptHash));
