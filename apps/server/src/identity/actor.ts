import type { SessionRow } from './console-sessions.ts';

/** A person with a session of the console. */
export type SessionActor = { kind: 'session'; user: SessionRow['user']; session: SessionRow };

/**
 * Who makes a call. A session is the only kind of credential. Code that needs a person reads `user`, which another kind does not have, so
 * that the compiler finds it when a kind is added.
 */
export type Actor = SessionActor;

/** What the handler of a call that needs a session gets. */
export type InSession = { actor: SessionActor } & Pick<SessionActor, 'user' | 'session'>;

/** What changes something without a call: a command on the machine, or a decision that must not name its person. */
type SystemActor = { kind: 'system'; name: string };

/** The part of an actor that an audit record contains. */
export type AuditedActor = { kind: Actor['kind']; user: { id: number; email: string } } | SystemActor;

/** The name in audit records and mails. */
export const nameOfActor = (actor: AuditedActor): string => (actor.kind === 'system' ? actor.name : actor.user.email);

/** The key by which rate limits count the requests of an actor. */
export const limitKeyOf = ({ kind, user }: Actor): string => `${kind}:${user.id}`;

/** Whether an actor is the person of an account. */
export const isPerson = ({ user }: Actor, userId: number): boolean => user.id === userId;
