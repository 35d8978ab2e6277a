import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { ConflictDialog, type Difference } from '#app/ui/admin/comparison-dialog.tsx'
import { Form } from '#app/ui/admin/form.tsx'
import { useEditForm } from '#app/ui/admin/use-edit-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { FormFields, placeOf } from './form-fields.tsx'
import { type FormNode, formNode, settingRevisions, SETTINGS, type SettingSection, settingSection } from './settings.ts'

type Values = SettingSection['value']

export function SectionPanel({ section, mayWrite }: { section: string; mayWrite: boolean }) {
  const found = usePageQuery(apiQuery(urlOf(section), settingSection))
  if (found.isPending) {
    return (
      <div>
        <Loading>Loading the section...</Loading>
        <Skeleton lines={8} />
      </div>
    )
  }
  if (found.isError) return <Failed error={found.error} retry={found.refetch} />
  return <SectionForm start={found.data} mayWrite={mayWrite} />
}

function SectionForm({ start, mayWrite }: { start: SettingSection; mayWrite: boolean }) {
  const form = useSectionForm(start)
  const [hasHistory, setHistory] = useState(false)
  const { base } = form
  const node = formNode.parse(base.form)
  return (
    <Form form={form} placeOf={(path) => placeOf(node, path)} className="grid gap-5">
      <header className="grid gap-1">
        <h2 className="text-h3">{base.title}</h2>
        <p className="text-small text-muted">
          {base.about}{' '}
          {base.updatedAt ? `Version ${base.version}, saved on ${formatMoment(base.updatedAt)}.` : 'These are the defaults of this site.'}
        </p>
        {start.draft && <p className="text-small text-muted">You continue the draft of your last preview.</p>}
      </header>
      <fieldset disabled={!mayWrite} className="grid min-w-0 gap-5">
        <legend className="sr-only">{base.title}</legend>
        <FormFields node={node} value={form.fields} path="" errors={form.errors} change={(next) => isValues(next) && form.change(next)} />
      </fieldset>
      <div data-action-bar className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-line bg-paper py-3">
        {mayWrite && (
          <>
            <SubmitButton>Save</SubmitButton>
            {base.page && (
              <ActionButton action={form.preview} pending="Opening...">
                Preview
              </ActionButton>
            )}
          </>
        )}
        <Button type="button" look="quiet" onClick={() => setHistory(true)}>
          History
        </Button>
        {form.differs && <ActionButton action={form.discard}>Discard changes</ActionButton>}
      </div>
      {hasHistory && <History form={form} mayWrite={mayWrite} close={() => setHistory(false)} />}
      <ConflictDialog
        form={form}
        noun="section"
        differencesTo={(newer) => ({ differences: differencesOf(node, form.fields, newer.value) })}
      >
        Their version stays in the history.
      </ConflictDialog>
    </Form>
  )
}

/** A section under the id that the form saves it by. */
const sectionRow = z.pipe(
  settingSection,
  z.transform((section) => ({ ...section, id: section.section })),
)

/** The form of a section, with its draft: the server keeps that of the last preview. */
function useSectionForm(start: SettingSection) {
  const client = useQueryClient()
  const url = urlOf(start.section)
  const [draft, setDraft] = useState(start.draft)
  // The form itself has what it saved.
  const touches = new RegExp(`^${SETTINGS}$|/revisions$`)
  const row = { ...start, id: start.section }
  const form = useEditForm({
    noun: start.title,
    url: `${SETTINGS}/sections`,
    schema: sectionRow,
    row,
    begin: () => ({ fields: start.draft ?? start.value, slugFollows: false }),
    editOf: ({ value }) => ({ fields: value, slugFollows: false }),
    apply: (_edit, change) => ({ fields: change, slugFollows: false }),
    check: (fields) => ({ body: fields }),
    touches,
    done: ({ title, page }) => ({
      title: `${title} saved`,
      description: `${page ? 'The site shows it now.' : 'It applies from now on.'} History restores earlier versions.`,
    }),
    failed: `${start.title} not saved`,
    onSaved(saved, goOn) {
      goOn(saved)
      store(saved)
    },
  })
  const { fields, base = row, refusedBy } = form
  function begin(saved: typeof row) {
    form.begin(saved)
    store(saved)
  }
  function store(saved: typeof row) {
    setDraft(null)
    client.setQueryData([url], saved)
  }
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const differs = !isSame(fields, base.value)
  return {
    ...form,
    base,
    differs,
    isChanged: differs && !isSame(fields, draft),
    restore: (version: number) => ({
      send: async () =>
        sectionRow.parse(
          await (
            await apiRequest('POST', `${url}/revisions/${version}/restore`, undefined, { headers: { 'if-match': `"${base.version}"` } })
          ).json(),
        ),
      onDone: begin,
      done: ({ title }: SettingSection) => `${title} restored`,
      failed: 'The version was not restored',
      onRefused: refusedBy,
      touches,
    }),
    preview: {
      send: async () => apiRequest('PUT', `${url}/draft`, fields),
      onDone() {
        setDraft(fields)
        form.refuse({})
        const page = `${base.page}${base.page.includes('?') ? '&' : '?'}preview=settings`
        if (!window.open(page, 'settings-preview')) window.location.assign(page)
      },
      failed: 'The preview was not stored',
      onRefused: refusedBy,
      touches,
    },
    discard: {
      send: async () => apiRequest('DELETE', `${url}/draft`),
      onDone: () => begin(base),
      failed: 'The changes were not discarded',
      touches,
    },
  }
}

type SectionFormState = ReturnType<typeof useSectionForm>

type HistoryProps = { form: SectionFormState; mayWrite: boolean; close: () => void }

function History({ form, mayWrite, close }: HistoryProps) {
  const { base } = form
  const revisions = useQuery(apiQuery(`${urlOf(base.section)}/revisions`, settingRevisions))
  return (
    <Dialog open side onClose={close} title={`History of ${base.title}`}>
      {revisions.isPending && <Skeleton lines={6} />}
      {revisions.isError && <Failed error={revisions.error} retry={revisions.refetch} />}
      {revisions.data && (
        <ul className="grid divide-y divide-line">
          {[...revisions.data, { version: 0, isDefault: true, editor: null, createdAt: null }].map((revision) => (
            <li key={revision.version} className="flex flex-wrap items-center justify-between gap-3 py-2 text-small">
              <span>
                {revision.version === 0 ? 'Defaults of this site' : `Version ${revision.version}${revision.isDefault ? ' (defaults)' : ''}`}
                {revision.createdAt && (
                  <span className="block text-fine text-muted">
                    {revision.editor ?? 'A former member'}, {formatMoment(revision.createdAt)}
                  </span>
                )}
              </span>
              {revision.version === base.version ? (
                <span className="text-muted">Current</span>
              ) : (
                mayWrite && (
                  <ActionButton action={form.restore(revision.version)} size="small" pending="Restoring...">
                    Restore
                  </ActionButton>
                )
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function urlOf(section: string): string {
  return `${SETTINGS}/sections/${section}`
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Named as the form names them. */
export function differencesOf(node: FormNode, mine: Values, theirs: Values): Difference[] {
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
    .map((key) => ({ label: placeOf(node, key) || key, mine: shown(mine[key]), theirs: shown(theirs[key]) }))
    .filter((difference) => difference.mine !== difference.theirs)
}

function shown(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
