import { AsyncLocalStorage } from 'node:async_hooks'
import type { Selectable } from 'kysely'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { onSignal, signalWith } from '#app/platform/database/signals.server.ts'
import { setTaxAdded, setWrittenForm } from '#app/platform/text/written-form.ts'
import { log } from '#app/platform/process/log.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Tables } from '#db/tables.ts'
import { env } from '#app/platform/env.server.ts'
import { currentSettings, setSettingsSource, type SettingValues, writtenFormOf } from './live.ts'
import { isSectionName, schemaOf, type SectionName, sectionNames, taxModes } from './sections.server.ts'

const SETTINGS_CHANGED = 'settings.changed'
const AGAIN_MS = 1000
/** Older revisions of a section are deleted. */
const MOST_REVISIONS = 100

type Stored = Selectable<Tables['siteSettings']>

/** A section as it is saved; without a value it has the defaults. */
export type SavedSection = { section: SectionName; version: number; value: object | null; draft: object | null; updatedAt: Date | null }
export type Conflict = { conflict: SavedSection }
export type SettingRevision = { version: number; isDefault: boolean; editorId: string; createdAt: Date }

let saved: SettingValues = {}
let again: NodeJS.Timeout | undefined
const previews = new AsyncLocalStorage<SettingValues>()
const listeners = new Set<() => void>()

setSettingsSource(() => previews.getStore() ?? saved)
setWrittenForm(() => writtenFormOf(currentSettings(), env.CURRENCY))

setTaxAdded(() => {
  const { mode } = currentSettings().billing ?? {}
  return mode === taxModes.vat || mode === taxModes.provider
})

/** Loads the settings and follows their changes in every process. Returns the function that stops this. */
export async function openSettings(onChange: () => void): Promise<() => void> {
  const deaf = [onSignal(SETTINGS_CHANGED, () => void readSettings()), onSignal('reconnected', () => void readSettings())]
  listeners.add(onChange)
  await readOnce()
  return () => {
    clearTimeout(again)
    listeners.delete(onChange)
    for (const stopListening of deaf) stopListening()
  }
}

/** Renders with the drafts of the settings in place of the saved values. */
export async function withDrafts<T>(work: () => Promise<T>): Promise<T> {
  const rows = await db.selectFrom('siteSettings').selectAll().execute()
  return previews.run(toValues(rows.map((row) => ({ ...row, value: row.draft ?? row.value }))), work)
}

type SaveEffect = (trx: Trx, value: object | null) => Promise<void>

const effects = new Map<SectionName, SaveEffect>()

/** Runs in the transaction of each save of a section. */
export function whenSaved(section: SectionName, effect: SaveEffect): void {
  effects.set(section, effect)
}

/** Whether this request shows drafts. */
export function isPreview(): boolean {
  return previews.getStore() !== undefined
}

/** Runs with the content of the files alone. */
export function withDefaults<T>(work: () => T): T {
  return previews.run({}, work)
}

export async function listSections(): Promise<SavedSection[]> {
  const rows = await db.selectFrom('siteSettings').selectAll().execute()
  return sectionNames.map((section) =>
    toSection(
      section,
      rows.find((row) => row.section === section),
    ),
  )
}

export async function findSection(section: SectionName): Promise<SavedSection> {
  return toSection(section, await db.selectFrom('siteSettings').selectAll().where('section', '=', section).executeTakeFirst())
}

/**
 * Saves a section; null restores the defaults. `expected` is the version that the editor last saw. Returns the current
 * section as the conflict when another version was saved meanwhile.
 */
export async function saveSection(
  section: SectionName,
  value: object | null,
  editorId: string,
  expected: number,
): Promise<SavedSection | Conflict> {
  const row = await transaction(async (trx) => {
    const before = await lockSection(trx, section)
    if (before.version !== expected) return { conflict: toSection(section, before) }
    const version = before.version + 1
    const stored = value && JSON.stringify(value)
    await trx.insertInto('siteSettingRevisions').values({ section, version, value: stored, editorId }).execute()
    await trx
      .deleteFrom('siteSettingRevisions')
      .where('section', '=', section)
      .where('version', '<=', version - MOST_REVISIONS)
      .execute()
    await effects.get(section)?.(trx, value)
    await signalWith(trx, SETTINGS_CHANGED, null)
    return trx
      .updateTable('siteSettings')
      .set({ value: stored, draft: null, version, updatedAt: new Date() })
      .where('section', '=', section)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  if ('conflict' in row) return row
  // On return the new values apply in this process.
  await readSettings()
  return toSection(section, row)
}

/** Saves the value of an earlier version as a new version. */
export async function restoreSection(
  section: SectionName,
  version: number,
  editorId: string,
  expected: number,
): Promise<SavedSection | Conflict> {
  const found = await db
    .selectFrom('siteSettingRevisions')
    .select('value')
    .where('section', '=', section)
    .where('version', '=', version)
    .executeTakeFirst()
  if (!found && version > 0) stop('notFound', 'This section has no such version.')
  const value = found?.value ?? null
  const read = value && schemaOf(section).safeParse(value)
  if (read && !read.success) stop('unprocessable', 'This version is too old for the present form. Please enter its values again.')
  return saveSection(section, value, editorId, expected)
}

/** Stores values for a preview; null removes them. */
export async function saveSectionDraft(section: SectionName, value: object | null): Promise<void> {
  const draft = value && JSON.stringify(value)
  await db
    .insertInto('siteSettings')
    .values({ section, draft })
    .onConflict((conflict) => conflict.column('section').doUpdateSet({ draft }))
    .execute()
}

/** The versions of a section, newest first. */
export async function listRevisionsOf(section: SectionName): Promise<SettingRevision[]> {
  const rows = await db
    .selectFrom('siteSettingRevisions')
    .select(['version', 'editorId', 'createdAt'])
    .select((eb) => eb('value', 'is', null).as('isDefault'))
    .where('section', '=', section)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(({ isDefault, ...row }) => ({ ...row, isDefault: Boolean(isDefault) }))
}

/** If the database is gone, the old values stay in use. */
async function readSettings(): Promise<void> {
  clearTimeout(again)
  try {
    await readOnce()
  } catch (error) {
    log.warn({ err: error }, 'settings could not be reloaded')
    again = setTimeout(() => void readSettings(), AGAIN_MS).unref()
  }
}

async function readOnce() {
  saved = toValues(await db.selectFrom('siteSettings').selectAll().execute())
  // Pages that were rendered with the old values are cached.
  for (const listener of listeners) listener()
}

/** The valid sections. A value of an older form is left out, so its section has the defaults. */
function toValues(rows: readonly Pick<Stored, 'section' | 'value'>[]): SettingValues {
  const found: Record<string, unknown> = {}
  for (const { section, value } of rows) {
    if (value === null || !isSectionName(section)) continue
    const read = schemaOf(section).safeParse(value)
    if (read.success) found[section] = read.data
    else log.warn({ section }, 'a saved section of the settings is not valid and is ignored')
  }
  return found
}

/** Creates the row before the first save, so that two first saves run in turn. */
async function lockSection(trx: Trx, section: SectionName): Promise<Stored> {
  await trx
    .insertInto('siteSettings')
    .values({ section })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx.selectFrom('siteSettings').selectAll().where('section', '=', section).forUpdate().executeTakeFirstOrThrow()
}

function toSection(section: SectionName, row: Stored | undefined): SavedSection {
  if (!row) return { section, version: 0, value: null, draft: null, updatedAt: null }
  const { version, value, draft, updatedAt } = row
  return { section, version, value, draft, updatedAt: version > 0 ? updatedAt : null }
}
