import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeUser, networkNamed } from '../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';
import { loginLog, memberships, networks, users } from './schema.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

/** The differences between the counters and the actual rows. */
const wrongMembers = async () => {
  const { rows } = await testApp.db.execute(sql`
    select * from (
      select network_id, greatest(users.status, memberships.status) as status,
        greatest(users.user_mode, memberships.user_mode) as user_mode, count(*) as members
      from memberships join users on users.id = user_id group by 1, 2, 3
    ) as counted full join (select * from member_counts where members <> 0) as kept using (network_id, status, user_mode)
    where counted.members is distinct from kept.members`);
  return rows;
};

const wrongLines = async () => {
  const { rows } = await testApp.db.execute(sql`
    with named as (
      select network_id, kind, name, count(*) filter (where login_status = 'Success') as succeeded, count(*) filter (where login_status = 'Failed') as failed
      from login_log cross join lateral (values ('email', lower(email)), ('site', lower(site)), ('address', host(ip_address))) as given (kind, name)
      where name is not null group by 1, 2, 3
    ), days as (
      select network_id, (login_time at time zone 'UTC')::date as day, login_status, count(*) as lines from login_log group by 1, 2, 3
    ), quarters as (
      select network_id, date_bin('15 minutes', login_time, 'epoch') as quarter, login_status,
        case login_status when 'Success' then '' else split_part(reason, ':', 1) end as reason, count(*) as lines
      from login_log group by 1, 2, 3, 4
    ), kept_quarters as (
      select network_id, hour + place * interval '15 minutes' as quarter, login_status, reason, lines from login_log_hours
      cross join lateral (values (0, quarter_1), (1, quarter_2), (2, quarter_3), (3, quarter_4)) as given (place, lines) where lines > 0
    )
    select 'name ' || name as wrong from named full join (select * from login_log_names where succeeded + failed > 0) as kept using (network_id, kind, name)
      where (named.succeeded, named.failed) is distinct from (kept.succeeded, kept.failed)
    union all select 'day ' || day from days full join login_log_days as kept using (network_id, day, login_status)
      where days.lines is distinct from kept.lines
    union all select 'quarter ' || quarter || ' ' || reason
      from quarters full join kept_quarters as kept using (network_id, quarter, login_status, reason)
      where quarters.lines is distinct from kept.lines`);
  return rows;
};

describe('the members of a network are counted', () => {
  test('as they join, change and leave, in every network that they belong to', async () => {
    const { db } = testApp;
    expect(await wrongMembers()).toEqual([]);
    const [first, second, third] = [
      await makeUser(db, { alsoIn: ['southlab'] }),
      await makeUser(db, { status: 'NonConfirmed' }),
      await makeUser(db),
    ];
    expect(await wrongMembers()).toEqual([]);
    await db.update(users).set({ user_mode: 'Disable' });
    await db.update(users).set({ status: 'Confirmed' }).where(eq(users.id, second.id));
    await db.update(users).set({ user_mode: 'Disable', firstname: 'Zoe' }).where(eq(users.id, first.id));
    expect(await wrongMembers()).toEqual([]);
    await db.update(memberships).set({ user_mode: 'Disable', status: 'NonConfirmed' });
    await db.update(users).set({ user_mode: 'Active' }).where(eq(users.id, third.id));
    await db.update(memberships).set({ user_mode: 'Active' }).where(eq(memberships.user_id, third.id));
    expect(await wrongMembers()).toEqual([]);
    await db.delete(memberships).where(eq(memberships.user_id, third.id));
    await db.delete(users).where(eq(users.id, first.id));
    expect(await wrongMembers()).toEqual([]);
  });

  test('and no longer once the network is deleted', async () => {
    const { db } = testApp;
    const [made] = await db.insert(networks).values({ name: 'westlab', sso_id: 'westlab' }).returning();
    const user = await makeUser(db, { alsoIn: ['westlab'] });
    await db.delete(networks).where(eq(networks.id, made?.id ?? 0));
    expect(await wrongMembers()).toEqual([]);
    expect(user.id).toBeGreaterThan(0);
  });

  test('correctly, also when many change at once', async () => {
    const { db } = testApp;
    const made = await Promise.all(Array.from({ length: 12 }, () => makeUser(db, { alsoIn: ['southlab'] })));
    const change = (turn: number) => {
      const { id } = made[turn % made.length] ?? { id: 0 };
      if (turn % 9 === 0) return db.delete(memberships).where(eq(memberships.user_id, id));
      const user_mode = turn % 2 ? ('Active' as const) : ('Disable' as const);
      return turn % 3 === 0
        ? db.update(memberships).set({ user_mode }).where(eq(memberships.user_id, id))
        : db.update(users).set({ user_mode }).where(eq(users.id, id));
    };
    await Promise.all(Array.from({ length: 200 }, (_, turn) => change(turn)));
    expect(await wrongMembers()).toEqual([]);
  });
});

describe('the lines of the log are counted', () => {
  const line = (email: string | null, day: string, draft: Partial<typeof loginLog.$inferInsert> = {}) => ({
    network_id: 0,
    site: 'Lab.org',
    email,
    login_status: 'Success' as const,
    reason: 'password',
    ip_address: '10.0.0.1',
    login_time: new Date(`${day}T12:00:00Z`),
    ...draft,
  });

  test('as they are written, and no longer once their months are dropped', async () => {
    const { db } = testApp;
    const { id: network_id } = await networkNamed(db, 'northlab');
    const months = async () => {
      const { rows } = await db.execute(
        sql`select to_char(login_time, 'YYYY-MM') as month, tableoid::regclass::text as place from login_log order by 1`,
      );
      return rows.map(({ month, place }) => `${String(month)} ${String(place)}`);
    };
    await db.insert(loginLog).values(
      [
        line('Ana@lab.org', '2025-01-31'),
        line('ana@lab.org', '2025-02-01', { login_status: 'Failed' }),
        line(null, '2025-02-28', { login_status: 'Failed', ip_address: '2001:db8::1' }),
        line('ben@lab.org', '2025-03-01'),
        ...['00:00:00Z', '12:14:59.999Z', '12:15:00Z', '12:30:00Z', '12:59:59.999Z', '13:00:00Z', '23:59:59.999Z'].map(
          (time) =>
            line(null, '2025-03-01', {
              login_status: 'Failed',
              reason: `google: code_${time.length}`,
              login_time: new Date(`2025-03-01T${time}`),
            }),
        ),
      ].map((given) => ({ ...given, network_id })),
    );
    expect(await wrongLines()).toEqual([]);
    expect((await months()).slice(0, 4)).toEqual(
      ['2025-01', '2025-02', '2025-02', '2025-03'].map((month) => `${month} login_log_default`),
    );

    await db.execute(sql`select add_login_log_month('2025-02-14'), add_login_log_month('2025-02-01')`);
    expect((await months()).filter((month) => month.endsWith('login_log_2025_02'))).toHaveLength(2);
    expect(await wrongLines()).toEqual([]);

    await db.execute(sql`select detach_login_log_before('2025-03-15')`);
    await db.execute(sql`select drop_detached_login_log()`);
    await db.execute(sql`select forget_login_log_names(2), forget_login_log_names(100)`);
    expect(new Set(await months())).toEqual(new Set(['2025-03 login_log_default']));
    expect(await wrongLines()).toEqual([]);

    // Another line of the same day and names adds to the counter.
    await db.insert(loginLog).values({ ...line('ben@lab.org', '2025-03-01'), network_id });
    expect(await wrongLines()).toEqual([]);
  });
});
