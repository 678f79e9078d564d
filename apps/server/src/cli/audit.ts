import { exportAuditLog } from '../features/audit/audit.export.service.ts';
import { type ChainPlace, verifyAuditLog } from '../features/audit/audit.verify.service.ts';
import { readAuditCommand } from './audit-command.ts';
import { count } from './count.ts';
import { print, runCommand } from './run-command.ts';
import { withInstallation } from './with-installation.ts';

const placeOf = ({ position, mac }: ChainPlace): string => `${position}:${mac}`;

/** Returns whether the audit log is complete. */
const run = async (): Promise<boolean> => {
  const command = readAuditCommand(process.argv.slice(2));
  return withInstallation(async ({ parts, background }) => {
    if (command.verb === 'export') {
      const records = await exportAuditLog(background.db, command.file, command.since);
      print(`${count(records, 'audit record was', 'audit records were')} written to ${command.file}.`);
      return true;
    }
    const { faults, checked, waiting, head } = await verifyAuditLog(background.db, parts.vault, command.expected);
    faults.forEach(print);
    print(
      `${count(checked, 'audit record is', 'audit records are')} unchanged. ${count(waiting, 'newer one is', 'newer ones are')} not in the chain yet.`,
    );
    if (head) print(`The chain ends with ${placeOf(head)}.`);
    print(faults.length === 0 ? 'The audit log is complete.' : 'The audit log is NOT complete.');
    return faults.length === 0;
  });
};

await runCommand(run);
