import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export type Answer = { status: number; body: string; cookies: string[]; location: string | undefined };

/** A client with little overhead, because it shares the machine with the measured server. */
export const createClient = (connections: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = (url: string, cookie = '', form?: Record<string, string>, localAddress?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = { cookie, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) };
      const method = form ? 'POST' : 'GET';
      const sent = request(url, { agent, method, headers, ...(localAddress && { localAddress }) }, (answer) => {
        const cookies = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '');
        const {
          statusCode: status = 0,
          headers: { location },
        } = answer;
        resolve(text(answer).then((body) => ({ status, body, cookies, location })));
      });
      sent.on('error', reject);
      sent.end(form && new URLSearchParams(form).toString());
    });
  return { send, close: () => agent.destroy() };
};

/** Runs the work in a number of parallel workers for a number of seconds. Returns how often it was done. */
export const repeat = async (
  workers: number,
  seconds: number,
  work: (turn: number) => Promise<void>,
): Promise<number> => {
  const end = performance.now() + seconds * 1_000;
  let turns = 0;
  const worker = async () => {
    while (performance.now() < end) {
      turns += 1;
      await work(turns);
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return turns;
};
