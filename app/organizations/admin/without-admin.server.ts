import { z } from 'zod'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { transaction } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { forgetThoseWithAdmin, listWithoutAdmin } from './staff-organization.server.ts'

/** Tells staff about each company that nobody can manage any more: once, and again only after it had an admin in between. */
async function tellWithoutAdmin(): Promise<void> {
  await forgetThoseWithAdmin()
  for (const { id, name, reference } of await listWithoutAdmin()) {
    await transaction(async (trx) => {
      const isNews = await trx
        .updateTable('organizations')
        .set({ withoutAdminSince: now })
        .where('id', '=', id)
        .where('withoutAdminSince', 'is', null)
        .returning('withoutAdminSince')
        .executeTakeFirst()
      if (!isNews) return
      const notice = {
        kind: 'organization_admin' as const,
        title: `${name} has no admin`.slice(0, 200),
        body: 'Its people and keys cannot be managed. Ask its members for a new admin, then assign the role.',
        link: `/admin/organizations/${reference}`,
        subjectId: id,
        dedupeKey: `organization_admin:${id}:${isNews.withoutAdminSince?.getTime()}`,
        to: { roles: ['staff' as const, 'owner' as const] },
      }
      await enqueue(trx, notificationJob(notice))
    })
  }
}

defineJob('organizations.without-admin', z.unknown(), tellWithoutAdmin, { every: 'hour' })
