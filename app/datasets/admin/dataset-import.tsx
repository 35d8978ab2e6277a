import type { QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import type { StaffProduct } from '#app/datasets/catalog/product.ts'
import { columnNames, LONGEST_CHANGES } from '#app/datasets/catalog/version-change.ts'
import { columnReading, type StaffVersion } from '#app/datasets/catalog/version.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ImportDialog } from '#app/ui/admin/import-dialog.tsx'
import { type ImportNoun, ImportRefusal } from '#app/ui/admin/use-import.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { Field } from '#app/ui/field.tsx'
import { Textarea } from '#app/ui/input.tsx'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { beginningOf, listUploads, whenArrived } from './active-uploads.ts'
import { changedReadings, columnsOf, type Given } from './column-readings.tsx'
import { DATASET_FILES, DATASET_HINT, refusalOf } from './dataset-file.ts'
import { ImportProgress } from './import-progress.tsx'
import { differenceTo, findSavedUpload } from './kept-upload.ts'
import { productAddresses, versionsUrl } from './product-urls.ts'
import { cancelUpload, continueUpload, resumeUpload, startUpload } from './uploads.ts'
import { versionsQuery } from './use-products.tsx'
import { brokenOf } from './version-card.tsx'
import { VersionFaults } from './version-faults.tsx'
import { VersionReport } from './version-report.tsx'

type DatasetImportProps = {
  product: StaffProduct
  versions: readonly StaffVersion[]
  /** A version that is not published, or a new one. */
  version?: StaffVersion | undefined
  onClose: () => void
}

/**
 * The import of a version: its file is sent and checked, columns and readings are corrected, and then it is published. Closed earlier, the
 * version waits in the list.
 */
export function DatasetImport({ product, versions, version, onClose }: DatasetImportProps) {
  const client = useQueryClient()
  const isFirst = versions.every(({ state }) => state !== 'published')
  return <ImportDialog noun={datasetNoun(product, { client, version, isFirst })} onClose={onClose} />
}

type Setting = { client: QueryClient; version: StaffVersion | undefined; isFirst: boolean }

function datasetNoun({ id: productId, name }: StaffProduct, { client, version, isFirst }: Setting): ImportNoun<Given, StaffVersion> {
  const upload = listUploads().find((each) => each.productId === productId && each.progress.state.kind !== 'arrived')
  const beginning = beginningOf(productId)
  const kept = (upload ?? beginning) ? undefined : findSavedUpload(productId)
  const startedId = version?.id ?? upload?.id
  const fresh: Given = { choices: {}, names: {}, reason: '' }
  return {
    one: 'version',
    many: 'versions',
    title: version ? `Version ${version.number} of ${name}` : `Import a version of ${name}`,
    file: { label: 'Data file', accept: DATASET_FILES, hint: DATASET_HINT },
    start: { ...fresh, ...(startedId ? { id: startedId } : beginning && { isBeginning: true }) },
    isEmpty: ({ file, id, isBeginning }) => file === undefined && id === undefined && !isBeginning,
    nameOf: ({ file }) =>
      file ? `${file.name}, ${bytesInWords(file.size)}` : (version?.originalName ?? upload?.fileName ?? beginning?.fileName ?? ''),
    async read([file], { changes }) {
      if (!file) throw new ImportRefusal('Choose a file first.')
      const saved = findSavedUpload(productId)
      const refusal = refusalOf(file) ?? (saved && differenceTo(saved, file))
      if (refusal) throw new ImportRefusal(refusal)
      return { ...fresh, file, ...(changes !== undefined && { changes }) }
    },
    async send(given, { dry, report }) {
      if (!dry) return publish(productId, given, report)
      if (report) await correct(productId, given, report)
      return imported(client, productId, report?.id ?? (await arrive(productId, given)))
    },
    renderProgress: () => <ImportProgress productId={productId} />,
    options: (given, change, report) => (
      <>
        {kept && !given.file && <CutOff productId={productId} fileName={kept.fileName} bytes={kept.bytes} />}
        {!isFirst && (
          <Field label="What changed" name="changes" optional hint="Customers see it beside the version number.">
            <Textarea
              value={given.changes ?? report?.changes ?? ''}
              most={LONGEST_CHANGES}
              placeholder="November prices, two more shops."
              onChange={({ target }) => change({ ...given, changes: target.value }, 'known')}
            />
          </Field>
        )}
      </>
    ),
    view: (report, given, change) => ({
      lead: <VersionFaults productId={productId} version={report} given={given} change={change} isChanged={hasChanges(report, given)} />,
      ...columnsOf(report, given, change),
      after: report.columns.length > 0 && <VersionReport version={report} isOpen={false} />,
      blocked: brokenOf(report).length > 0 && given.reason.trim() === '' && !hasChanges(report, given) ? 'Give a reason first.' : undefined,
    }),
    hasChanges,
    totalOf: ({ state }) => (state === 'ready' ? 1 : 0),
    writtenIn: () => 1,
    nothing: 'This file cannot be published. Choose another one.',
    words: {
      verb: (report) => `Publish version ${report.number}${brokenOf(report).length > 0 ? ' anyway' : ''}`,
      pending: 'Publishing...',
      close: 'Close',
      done: ({ number }) => `Version ${number} is published`,
      failed: 'The version is not published',
    },
    touches: productAddresses,
  }
}

function CutOff({ productId, fileName, bytes }: { productId: string; fileName: string; bytes: number }) {
  const giveUp = { send: async () => cancelUpload(productId), failed: 'Upload not discarded', touches: productAddresses }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-small">
      <p className="min-w-0 wrap-anywhere">
        <span className="font-mono font-semibold">{fileName}</span> ({bytesInWords(bytes)}) was interrupted. Choose it again to resume.
      </p>
      <ActionButton action={giveUp} size="small" pending="Discarding...">
        Discard upload
      </ActionButton>
    </div>
  )
}

/** Answers that the version was not read with. */
function hasChanges(version: StaffVersion, given: Given): boolean {
  return version.headFaults.length > 0 || changedReadings(version, given).length > 0
}

/** Sends the file, or goes on with the upload of it. Returns the id of its version. */
async function arrive(productId: string, { file, id, isBeginning }: Given): Promise<string> {
  if (isBeginning) await beginningOf(productId)?.begun
  if (file && findSavedUpload(productId)) continueUpload(productId, file)
  else if (file) await startUpload(productId, file)
  const upload = listUploads().find((each) => (id ? each.id === id : each.productId === productId))
  if (!upload) return id ?? ''
  if (upload.progress.state.kind === 'failed') resumeUpload(productId)
  await whenArrived(upload.id)
  return upload.id
}

/** Has the file read with other names or readings of its columns. */
async function correct(productId: string, { choices, names, ...given }: Given, version: StaffVersion): Promise<void> {
  const place = `${versionsUrl(productId)}/${version.number}`
  if (version.headFaults.length > 0) {
    const naming = columnNames.safeParse({
      names: version.headFaults.map(({ column, suggestion }) => ({ column, name: names[column] ?? suggestion })),
    })
    if (!naming.success) throw new ImportRefusal(naming.error.issues[0]?.message ?? 'Name the columns.')
    await apiRequest('POST', `${place}/columns`, naming.data)
    return
  }
  const changed = changedReadings(version, { choices, names, ...given })
  if (changed.length === 0) return
  const readings = changed.map(([column, choice]) => ({ column, reading: columnReading.safeParse(choice).data ?? null }))
  await apiRequest('POST', `${place}/readings`, { readings })
}

async function publish(productId: string, { reason, changes }: Given, version: StaffVersion | undefined): Promise<StaffVersion> {
  if (!version) throw new ImportRefusal('Choose a file first.')
  const body = { force: brokenOf(version).length > 0, reason, ...(changes !== undefined && { changes }) }
  await apiRequest('POST', `${versionsUrl(productId)}/${version.number}/publish`, body)
  return version
}

/** In milliseconds. */
const AGAIN = 1_000

/** The version, once its file is imported. */
async function imported(client: QueryClient, productId: string, id: string): Promise<StaffVersion> {
  for (;;) {
    const versions = await client.fetchQuery({ ...versionsQuery(productId), staleTime: 0 })
    const found = versions.find((version) => version.id === id)
    if (!found) throw new ImportRefusal('This version was deleted. Choose a file.')
    if (found.state !== 'processing') return found
    await new Promise((resolve) => setTimeout(resolve, AGAIN))
  }
}
