import type { CurrentUser } from '#app/account/session/current-user.ts'
import { hasColleague, hasProvenAddress } from '#app/auth/users/colleague.server.ts'
import { SYSTEM_EDITOR } from '#app/blog/posts/post.server.ts'
import { firstPosts } from '#app/content/first-posts.ts'
import { listSections } from '#app/content/settings/settings.server.ts'
import { listHosts } from '#app/booking/host.server.ts'
import { isMailTested } from '#app/mail/mail-test.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { type FirstSteps, type StepName, stepName } from './first-steps.ts'

/** The first steps of an owner, each as the data says at this moment. */
export async function findFirstSteps({ id, hasFactor }: Pick<CurrentUser, 'id' | 'hasFactor'>): Promise<FirstSteps> {
  const [isHidden, address, mail, saved, hosts, post, dataset, colleague] = await Promise.all([
    isHiddenFor(id),
    hasProvenAddress(id),
    isMailTested(),
    listSavedSections(),
    listHosts(),
    hasOwnPost(),
    hasOwnDataset(),
    hasColleague(id),
  ])
  const [business, testimonials] = [saved.has('identity'), saved.has('testimonials')]
  // With a calendar elsewhere, calls need nothing here.
  const isElsewhere = env.BOOKING_URL !== undefined
  const [hours, place] = [isElsewhere || hosts.length > 0, isElsewhere || (hosts.length > 0 && hosts.every((host) => host.place !== ''))]
  const done: Record<StepName, boolean> = {
    address,
    factor: hasFactor,
    mail,
    business,
    testimonials,
    hours,
    place,
    post,
    dataset,
    colleague,
  }
  return { steps: stepName.options.map((name) => ({ name, isDone: done[name] })), isHidden }
}

export async function hideFirstSteps(userId: string, isHidden: boolean): Promise<void> {
  if (!isHidden) {
    await db.deleteFrom('hiddenFirstSteps').where('userId', '=', userId).execute()
    return
  }
  const row = db.insertInto('hiddenFirstSteps').values({ userId })
  await row.onConflict((conflict) => conflict.doNothing()).execute()
}

async function isHiddenFor(userId: string): Promise<boolean> {
  const row = await db.selectFrom('hiddenFirstSteps').select('userId').where('userId', '=', userId).executeTakeFirst()
  return row !== undefined
}

/** A section that was saved has the owner's values; testimonials cannot be saved without their confirmation. */
async function listSavedSections(): Promise<Set<string>> {
  const sections = await listSections()
  return new Set(sections.filter(({ value }) => value !== null).map(({ section }) => section))
}

/** A post that visitors can read and that is not one of the samples. */
async function hasOwnPost(): Promise<boolean> {
  const post = db
    .selectFrom('posts')
    .select('id')
    .where('published', '=', true)
    .where('removedAt', 'is', null)
    .where('publishedAt', '<=', new Date())
    .where('authorId', '!=', SYSTEM_EDITOR.id)
    .where(
      'slug',
      'not in',
      firstPosts.map(({ slug }) => slug),
    )
  return (await post.limit(1).executeTakeFirst()) !== undefined
}

/** A listed product with a published version that a person has uploaded. */
async function hasOwnDataset(): Promise<boolean> {
  const version = db
    .selectFrom('datasetVersions')
    .innerJoin('dataProducts', 'dataProducts.id', 'datasetVersions.productId')
    .select('datasetVersions.id')
    .where('state', '=', 'published')
    .where('datasetVersions.createdBy', '!=', SYSTEM_EDITOR.id)
    .where('hidden', '=', false)
    .where('removedAt', 'is', null)
  return (await version.limit(1).executeTakeFirst()) !== undefined
}
