import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { namesOf } from '#app/blog/posts/author.server.ts'
import { TINT } from '#app/content/settings/contrast.ts'
import { defaultsOf } from '#app/content/settings/defaults.server.ts'
import { findSiteFile, MOST_UPLOADED, storeSiteFile } from '#app/content/settings/files.server.ts'
import {
  isSectionName,
  savedSchemaOf,
  schemaOf,
  type SectionName,
  sectionNames,
  sectionTexts,
} from '#app/content/settings/sections.server.ts'
import {
  type Conflict,
  findSection,
  listRevisionsOf,
  listSections,
  restoreSection,
  saveSectionDraft,
  type SavedSection,
  saveSection,
} from '#app/content/settings/settings.server.ts'
import { findSiteIcon } from '#app/content/og-image/site-icon.server.ts'
import { findMailboxState } from '#app/leads/mailbox/mailbox-state.server.ts'
import { senderLine } from '#app/mail/outbox.server.ts'
import { env } from '#app/platform/env.server.ts'
import { entityTag, expectedVersion } from '#app/platform/http/entity-tag.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { fileResponseSchema } from '#app/platform/http/response-schema.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { PICTURE_KINDS } from '#app/platform/storage/picture-kind.ts'
import { stop } from '#app/platform/errors/stop.ts'
import {
  formNode,
  listedSection,
  settingRevisions,
  SETTINGS,
  type SettingSection,
  settingSection,
  siteConnections,
  testEmailOutcome,
  uploadedFile,
} from './settings.ts'
import { sendTestEmail } from './test-email.email.tsx'

const tags = ['settings']
const bodyLimit = 128 * 1024
const params = z.object({ section: z.string().refine(isSectionName, 'There is no such section.') })
const testEmails: Limit = { name: 'test-emails', points: 10, seconds: 3600 }

/** Staff may look; the owner writes. */
export const settingApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'settings.read')
  })

  app.get(SETTINGS, {
    schema: { summary: 'List the sections of the settings', tags, response: { 200: z.array(listedSection) } },
    handler: async () => (await listSections()).map((saved) => ({ ...headOf(saved), hasDraft: saved.draft !== null })),
  })

  app.get(`${SETTINGS}/connections`, {
    schema: { summary: 'Read how emails and calls are set up', tags, response: { 200: siteConnections } },
    handler: async () => ({
      smtp: env.SMTP_URL ? { host: new URL(env.SMTP_URL).host, from: senderLine() } : null,
      bookingUrl: env.BOOKING_URL ?? null,
      mailbox: await findMailboxState(),
    }),
  })

  app.post(`${SETTINGS}/test-email`, {
    schema: { summary: 'Send a test email to yourself', tags, response: { 200: testEmailOutcome } },
    async handler({ requestContext }) {
      const owner = await allow(requestContext, 'settings.write')
      if (!env.SMTP_URL) stop('conflict', 'SMTP_URL is not set, so no email can be sent.', { code: 'no_mail_server' })
      if (!owner.email) stop('unprocessable', 'Your account has no email address.')
      await consume(testEmails, owner.id)
      return sendTestEmail(owner.email)
    },
  })

  app.get(`${SETTINGS}/sections/:section`, {
    schema: { summary: 'Read a section with its form', tags, params, response: { 200: settingSection } },
    async handler({ params: { section } }, reply) {
      const found = toSettingSection(await findSection(known(section)))
      reply.header('etag', entityTag(found.version))
      return found
    },
  })

  app.get(`${SETTINGS}/sections/:section/revisions`, {
    schema: { summary: 'List the versions of a section, newest first', tags, params, response: { 200: settingRevisions } },
    async handler({ params: { section } }) {
      const revisions = await listRevisionsOf(known(section))
      const names = await namesOf(revisions.map(({ editorId }) => editorId))
      return revisions.map(({ editorId, createdAt, ...rest }) => ({
        ...rest,
        editor: names.get(editorId) ?? null,
        createdAt: createdAt.toISOString(),
      }))
    },
  })

  app.post(`${SETTINGS}/sections/:section/revisions/:version/restore`, {
    schema: {
      summary: 'Restore a version, or the defaults with version 0; If-Match: the current version',
      tags,
      params: params.extend({ version: z.coerce.number().int().min(0).max(1_000_000_000) }),
      response: { 200: settingSection },
    },
    config: { audit: 'settings_restored' },
    async handler({ requestContext, headers, params: { section, version } }, reply) {
      const owner = await allow(requestContext, 'settings.write')
      const restored = orConflict(await restoreSection(known(section), version, owner.id, expected(headers['if-match'])))
      reply.header('etag', entityTag(restored.version))
      return toSettingSection(restored)
    },
  })

  app.delete(`${SETTINGS}/sections/:section/draft`, {
    schema: { summary: 'Discard the draft of a section', tags, params, response: { 204: z.null() } },
    async handler({ requestContext, params: { section } }, reply) {
      await allow(requestContext, 'settings.write')
      await saveSectionDraft(known(section), null)
      return reply.status(204).send(null)
    },
  })

  for (const section of sectionNames) {
    app.put(`${SETTINGS}/sections/${section}`, {
      schema: {
        summary: `Save the section “${sectionTexts[section].title}”; If-Match: the version it is based on`,
        tags,
        body: z.lazy(() => savedSchemaOf(section)),
        response: { 200: settingSection },
      },
      bodyLimit,
      config: { audit: 'settings_saved' },
      async handler({ requestContext, headers, body }, reply) {
        const owner = await allow(requestContext, 'settings.write')
        await refuseMissingFiles(body)
        const saved = orConflict(await saveSection(section, body, owner.id, expected(headers['if-match'])))
        reply.header('etag', entityTag(saved.version))
        return toSettingSection(saved)
      },
    })

    app.put(`${SETTINGS}/sections/${section}/draft`, {
      schema: {
        summary: `Store values of “${sectionTexts[section].title}” for a preview`,
        tags,
        body: z.lazy(() => schemaOf(section)),
        response: { 204: z.null() },
      },
      bodyLimit,
      async handler({ requestContext, body }, reply) {
        await allow(requestContext, 'settings.write')
        await refuseMissingFiles(body)
        await saveSectionDraft(section, body)
        return reply.status(204).send(null)
      },
    })
  }
}

const uploads: Limit = { name: 'site-uploads', points: 30, seconds: 3600 }

/** Pictures of the settings. */
export const siteFileApi: Api = async (app) => {
  app.addContentTypeParser(/^(image\/|application\/octet-stream)/, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.post(`${SETTINGS}/files`, {
    schema: { summary: 'Upload a picture: the body is the file', tags, response: { 201: uploadedFile } },
    bodyLimit: MOST_UPLOADED,
    config: { takes: ['image/*', 'application/octet-stream'] },
    async onRequest({ requestContext }, reply) {
      reply.header('cache-control', 'no-store')
      await allow(requestContext, 'settings.write')
    },
    async handler({ requestContext, body }, reply) {
      const { id } = await allow(requestContext, 'settings.write')
      await consume(uploads, id)
      if (!Buffer.isBuffer(body)) stop('unknownMedia', `Send a picture as the body: ${PICTURE_KINDS}.`)
      return reply.status(201).send({ file: await storeSiteFile(body) })
    },
  })

  app.get('/brand/:file', {
    schema: {
      summary: 'Get the style sheet of accent colors',
      tags,
      params: z.object({ file: z.string() }),
      response: { 200: fileResponseSchema('The style sheet.', 'text/css') },
    },
    config: { isPublic: true },
    async handler({ params: { file } }, reply) {
      const [, ...colors] = /^([\da-f]{6})-([\da-f]{6})-([\da-f]{6})-([\da-f]{6})\.css$/.exec(file) ?? []
      if (colors.length === 0) stop('notFound', 'There is no such style sheet.')
      return reply
        .headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' })
        .send(Buffer.from(brandStyle(colors)))
    },
  })

  app.get('/site-files/:file', {
    schema: {
      summary: 'Get a picture of the site by its address',
      tags,
      params: z.object({ file: z.string() }),
      response: { 200: fileResponseSchema('The picture.', 'image/webp', 'image/png') },
    },
    config: { isPublic: true, limit: perVisitor('site-files', 600, '1 minutes') },
    async handler({ params: { file } }, reply) {
      const icon = file.startsWith('icon-') ? await findSiteIcon(file) : undefined
      const bytes =
        icon ?? ((/^[\da-f]{40}\.webp$/.test(file) && (await findSiteFile(file))) || stop('notFound', 'There is no such picture.'))
      return reply
        .headers({ 'content-type': icon ? 'image/png' : 'image/webp', 'cache-control': 'public, max-age=31536000, immutable' })
        .send(Buffer.from(bytes))
    },
  })
}

/** The conflict shows the newer version as the form reads it. */
function orConflict(saved: SavedSection | Conflict): SavedSection {
  if (!('conflict' in saved)) return saved
  const current = toSettingSection(saved.conflict)
  return stop('conflict', 'Someone saved this section after you opened it.', { code: 'edit_conflict', current })
}

/** The tokens of the accent (tokens.css). A hovered button is lighter, so its label stays legible. */
function brandStyle(colors: readonly string[]): string {
  const [light, dark, textLight, textDark] = colors.map((color) => `#${color}`)
  return [
    ':root{',
    `--color-grain:light-dark(${light},${dark});`,
    '--color-grain-strong:color-mix(in srgb,white 14%,var(--color-grain));',
    `--color-grain-text:light-dark(${textLight},${textDark});`,
    `--color-grain-wash:color-mix(in srgb,var(--color-grain-text) ${TINT * 100}%,var(--color-paper));`,
    '}',
  ].join('')
}

function known(section: string): SectionName {
  return isSectionName(section) ? section : stop('notFound', 'There is no such section.')
}

/** A save without a version would overwrite another person's unseen. */
function expected(ifMatch: string | undefined): number {
  return (
    expectedVersion(ifMatch) ??
    stop('badRequest', 'If-Match is missing: send the version as ETag gave it, such as "3".', { code: 'bad_if_match' })
  )
}

/** A picture that was never uploaded here, or was deleted as unused. */
async function refuseMissingFiles(value: object): Promise<void> {
  const names = new Set(JSON.stringify(value).match(/\b[\da-f]{40}\.webp\b/g))
  for (const name of names) if (!(await findSiteFile(name))) stop('unprocessable', 'The picture no longer exists. Please upload it again.')
}

function headOf({ section, version, value, updatedAt }: SavedSection) {
  const { title, about } = sectionTexts[section]
  return { section, title, about, version, isDefault: value === null, updatedAt: updatedAt?.toISOString() ?? null }
}

function toSettingSection(saved: SavedSection): SettingSection {
  const { section, value, draft } = saved
  const form = { ...formNode.parse(z.toJSONSchema(schemaOf(section), { io: 'input' })) }
  return {
    ...headOf(saved),
    value: { ...(value ?? defaultsOf(section)) },
    draft: draft && { ...draft },
    page: sectionTexts[section].page,
    form,
  }
}
