import { afterFile } from '../machine/cleanup.ts';
import { eventually } from '../machine/eventually.ts';
import { openSmtpServer } from './smtp-server.ts';

/** A mail server for the tests of a file, closed after them. */
export const startMailServer = async () => {
  const { close, ...server } = await openSmtpServer();
  afterFile(close);
  return {
    ...server,
    untilReceived: (mails: number) =>
      eventually(() => {
        if (server.received.length < mails)
          throw new Error(`${server.received.length} of ${mails} emails have arrived.`);
      }),
  };
};
