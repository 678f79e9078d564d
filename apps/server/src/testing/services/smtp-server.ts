import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

export type Received = { from: string; to: string[]; raw: string; mail: Email };

/** A mail as the end-to-end tests read it. */
export type Letter = { to: string[]; subject: string; text: string; html: string };

export const toLetter = ({ to, mail: { subject = '', text = '', html = '' } }: Received): Letter => ({
  to,
  subject,
  text,
  html,
});

/** A real mail server on this machine. It can refuse mails or leave the sender waiting. */
export const openSmtpServer = async () => {
  const received: Received[] = [];
  let refusals = 0;
  let hold: { reached: () => void; over: Promise<void> } | undefined;

  const take = async (stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<Error | undefined> => {
    const raw = Buffer.concat(await stream.toArray()).toString();
    hold?.reached();
    await hold?.over;
    if (refusals > 0) {
      refusals -= 1;
      return Object.assign(new Error('Try again later'), { responseCode: 451 });
    }
    received.push({
      from: envelope.mailFrom ? envelope.mailFrom.address : '',
      to: envelope.rcptTo.map(({ address }) => address),
      raw,
      mail: await PostalMime.parse(raw),
    });
    return undefined;
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onData: (stream, session, reply) => void take(stream, session).then(reply, reply),
  });
  // The connection of a client that was killed.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;

  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
    refuse: (mails: number) => {
      refusals = mails;
    },
    /** Receives the text of the next mail, and then does not answer until `resume` is called. */
    hold: () => {
      const reached = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      hold = { reached: reached.resolve, over: over.promise };
      const resume = () => {
        hold = undefined;
        over.resolve();
      };
      return { reached: reached.promise, resume };
    },
  };
};
