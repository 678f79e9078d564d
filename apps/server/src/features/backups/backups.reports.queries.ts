import { sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { backupReports } from '../../database/schema.ts';

export type BackupReport = typeof backupReports.$inferSelect;

export const findReport = async (db: Queryable): Promise<BackupReport | undefined> => {
  const [report] = await db.select().from(backupReports);
  return report;
};

type ReportChanges = Partial<Omit<typeof backupReports.$inferInsert, 'id'>>;

const upsertReport = (db: Queryable, changes: ReportChanges) =>
  db.insert(backupReports).values(changes).onConflictDoUpdate({ target: backupReports.id, set: changes });

export const reportBackup = (db: Queryable, { file, bytes }: { file: string; bytes: number }) =>
  upsertReport(db, { made_at: new Date(), file, bytes, failed_at: null, failure: null });

/** Returns whether the attempt before did not fail. */
export const reportFailure = async (tx: Queryable, failure: string): Promise<boolean> => {
  await tx.insert(backupReports).values({}).onConflictDoNothing();
  const [former] = await tx.select({ failed_at: backupReports.failed_at }).from(backupReports).for('update');
  await tx.update(backupReports).set({ failed_at: sql`now()`, failure });
  return former?.failed_at === null;
};
