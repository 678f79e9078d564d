import pg from 'pg';

export type TableDigest = { rows: number; sum: string };

/** What each table contains: the number of rows, and a sum of their hashes, which does not depend on their order. */
export const digestTables = async (where: pg.ClientConfig): Promise<Record<string, TableDigest>> => {
  const client = new pg.Client(where);
  await client.connect();
  try {
    await client.query(`set timezone = 'UTC'; set bytea_output = 'hex'; set extra_float_digits = 1`);
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       order by 1`,
    );
    const digests: Record<string, TableDigest> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<TableDigest>(
        `select count(*)::int as rows, coalesce(sum(hashtextextended(listed::text, 0)), 0)::text as sum from ${pg.escapeIdentifier(name)} as listed`,
      );
      if (rows[0]) digests[name] = rows[0];
    }
    return digests;
  } finally {
    await client.end();
  }
};
