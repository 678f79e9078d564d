import type { FastifyReply } from 'fastify';
import { pagePolicy } from './headers.ts';

/** Sends a page that the server has rendered. It runs no script unless its policy allows one. */
export const sendPage = (reply: FastifyReply, html: string, policy: string = pagePolicy()) =>
  reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html);
