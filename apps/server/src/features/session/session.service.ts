export { ageLimit, deleteStaleSessions, findSession, idleLimit, type SessionRow } from './session.queries.ts';
