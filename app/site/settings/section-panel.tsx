import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { ComparisonDialog, type Difference } from '#app/ui/admin/comparison-dialog.tsx'
import { LeaveWarning } from '#app/ui/admin/leave-warning.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { refusedFields } from '#app/ui/admin/use-edit-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { toast } from '#app/ui/toast.ts'
import { useFocusOnErrors } from '#app/ui/use-focus-on-errors.ts'
import { FormFields } from './form-fields.tsx'
import { formNode, settingRevisions, SETTINGS, type SettingSection, settingSection } from './settings.ts'

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
  const { base, values } = form
  const element = useFocusOnErrors(form.errors)
  return (
    <form
      ref={element}
      method="post"
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        form.save.mutate({ version: base.version })
      }}
    >
      <header className="grid gap-1">
        <h2 className="text-h3">{base.title}</h2>
        <p className="text-small text-muted">
          {base.about}{' '}
          {base.updatedAt ? `Version ${base.version}, saved on ${formatMoment(base.updatedAt)}.` : 'These are the defaults of this site.'}
        </p>
        {start.draft && <p className="text-small text-muted">You continue the draft of your last preview.</p>}
      </header>
      <ErrorSummary errors={form.errors} idOf={(name) => `field-${name.replaceAll('.', '-')}`} />
      <fieldset disabled={!mayWrite} className="grid min-w-0 gap-5">
        <legend className="sr-only">{base.title}</legend>
        <FormFields node={formNode.parse(base.form)} value={values} path="" errors={form.errors} change={form.change} />
      </fieldset>
      <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-line bg-paper py-3">
        {mayWrite && (
          <>
            <Button busy={form.save.isPending}>{form.save.isPending ? 'Saving...' : 'Save'}</Button>
            <Button type="button" look="quiet" busy={form.preview.isPending} onClick={() => form.preview.mutate(form.values)}>
              Preview
            </Button>
          </>
        )}
        <Button type="button" look="quiet" onClick={() => setHistory(true)}>
          History
        </Button>
        {form.isChanged && (
          <Button type="button" look="quiet" onClick={form.discard}>
            Discard changes
          </Button>
        )}
      </div>
      <LeaveWarning isChanged={form.isUnsaved && !form.save.isPending} />
      {hasHistory && <History form={form} mayWrite={mayWrite} close={() => setHistory(false)} />}
      {form.conflict && <Conflict form={form} newer={form.conflict} />}
    </form>
  )
}

type SectionFormState = ReturnType<typeof useSectionForm>

/** The values of the form, and the version that a save is compared with. */
function useSectionForm(start: SettingSection) {
  const client = useQueryClient()
  const url = urlOf(start.section)
  const [base, setBase] = useState(start)
  const [values, setValues] = useState<Values>(start.draft ?? start.value)
  // The server keeps the draft of a preview.
  const [draft, setDraft] = useState(start.draft)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [conflict, setConflict] = useState<SettingSection>()
  const isChanged = JSON.stringify(values) !== JSON.stringify(base.value)

  const begin = (from: SettingSection) => {
    setBase(from)
    setValues(from.value)
    setDraft(null)
    setErrors({})
    setConflict(undefined)
    client.setQueryData([url], from)
    void client.invalidateQueries({ queryKey: [SETTINGS], exact: true })
    void client.invalidateQueries({ queryKey: [`${url}/revisions`] })
  }
  const refuse = (title: string) => (error: Error) => {
    const newer = newerIn(error)
    setConflict(newer)
    const refused = refusedFields(error)
    setErrors(refused)
    if (!newer && Object.keys(refused).length === 0) showFailure(title, error)
  }
  const headers = (version: number) => ({ 'content-type': 'application/json', 'if-match': `"${version}"` })

  const save = useMutation({
    mutationFn: async ({ version }: { version: number }) =>
      settingSection.parse(await (await apiRequest('PUT', url, values, { headers: headers(version) })).json()),
    onSuccess(saved) {
      toast({ title: `${saved.title} saved`, description: 'The site shows it now. History restores earlier versions.' })
      begin(saved)
    },
    onError: refuse('The section was not saved'),
  })
  const restore = useMutation({
    mutationFn: async (version: number) =>
      settingSection.parse(
        await (
          await apiRequest('POST', `${url}/revisions/${version}/restore`, undefined, { headers: { 'if-match': `"${base.version}"` } })
        ).json(),
      ),
    onSuccess(saved) {
      toast({ title: `${saved.title} restored` })
      begin(saved)
    },
    onError: refuse('The version was not restored'),
  })
  const preview = useMutation({
    mutationFn: (sent: Values) => apiRequest('PUT', `${url}/draft`, sent),
    onSuccess(_reply, sent) {
      setDraft(sent)
      setErrors({})
      void client.invalidateQueries({ queryKey: [SETTINGS], exact: true })
      const page = `${base.page}${base.page.includes('?') ? '&' : '?'}preview=settings`
      if (!window.open(page, 'settings-preview')) window.location.assign(page)
    },
    onError: refuse('The preview was not stored'),
  })
  const drop = useMutation({
    mutationFn: () => apiRequest('DELETE', `${url}/draft`),
    onSuccess: () => void client.invalidateQueries({ queryKey: [SETTINGS], exact: true }),
  })

  return {
    base,
    values,
    errors,
    conflict,
    isChanged,
    isUnsaved: isChanged && JSON.stringify(values) !== JSON.stringify(draft),
    save,
    restore,
    preview,
    begin,
    leaveConflict: () => setConflict(undefined),
    change: (next: unknown) => setValues(isValues(next) ? next : values),
    discard: () => {
      setValues(base.value)
      setDraft(null)
      setErrors({})
      drop.mutate()
    },
  }
}

function Conflict({ form, newer }: { form: SectionFormState; newer: SettingSection }) {
  return (
    <ComparisonDialog
      title="Someone else saved this section"
      differences={differencesOf(form.values, newer.value)}
      keep="Overwrite with mine"
      onKeep={() => {
        form.leaveConflict()
        form.save.mutate({ version: newer.version })
      }}
      onTake={() => form.begin(newer)}
      onClose={form.leaveConflict}
    >
      Version {newer.version} was saved after you opened the section. Their version stays in the history.
    </ComparisonDialog>
  )
}

type HistoryProps = { form: SectionFormState; mayWrite: boolean; close: () => void }

function History({ form, mayWrite, close }: HistoryProps) {
  const { base, restore } = form
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
                  <Button type="button" look="quiet" size="small" busy={restore.isPending} onClick={() => restore.mutate(revision.version)}>
                    Restore
                  </Button>
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

function newerIn(error: Error): SettingSection | undefined {
  if (!(error instanceof ApiError) || error.problem?.code !== 'edit_conflict') return undefined
  return settingSection.safeParse(error.problem.current).data
}

function differencesOf(mine: Values, theirs: Values): Difference[] {
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
    .map((label) => ({ label, mine: shown(mine[label]), theirs: shown(theirs[label]) }))
    .filter((difference) => difference.mine !== difference.theirs)
}

function shown(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
