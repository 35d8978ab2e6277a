import { useRef, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ApiError } from '#app/platform/browser/api.ts'
import { toast } from '#app/ui/toast.ts'
import { Progress } from '#app/ui/progress.tsx'
import { PostImportReport } from './import-report.tsx'
import type { ConflictChoice, ImportedFile } from './post-file.ts'
import { NotSent, packFolder, sendArchive } from './send-archive.ts'

/** Two steps: the report of a dry run comes before anything is written. */
export function PostImportDialog({ onClose }: { onClose: () => void }) {
  const [onConflict, setChoice] = useState<ConflictChoice>('skip')
  const [files, setFiles] = useState<readonly File[]>([])
  const { check, write, progress } = useImport(onConflict)
  const busy = check.isPending || write.isPending
  const look = (chosen: readonly File[]) => {
    setFiles(chosen)
    write.reset()
    check.mutate(chosen)
  }
  return (
    <Dialog
      open
      side
      onClose={onClose}
      title="Import posts"
      actions={
        <>
          <Button type="button" look="quiet" onClick={onClose}>
            {write.data ? 'Close' : 'Cancel'}
          </Button>
          {!write.data && (
            <Button type="button" busy={busy} {...whyNot(check.data, onConflict)} onClick={() => write.mutate()}>
              {write.isPending ? 'Importing...' : 'Import'}
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-6">
        <ChooseFiles busy={busy} onChoose={look} />
        {files.length > 0 && !write.data && <Conflicts choice={onConflict} onChange={setChoice} />}
        {progress && <ImportSteps progress={progress} label={write.isPending ? 'Importing' : 'Checking'} />}
        {write.data ? (
          <PostImportReport files={write.data} isDone />
        ) : (
          check.data && <PostImportReport files={planned(check.data, onConflict)} isDone={false} />
        )}
      </div>
    </Dialog>
  )
}

function Conflicts({ choice, onChange }: { choice: ConflictChoice; onChange: (choice: ConflictChoice) => void }) {
  const options = [
    ['skip', 'Keep the existing post'],
    ['replace', 'Replace it and keep its version history'],
  ] as const
  return (
    <fieldset className="grid gap-2 text-small">
      <legend className="pb-1 font-semibold">If a post with the same slug exists</legend>
      {options.map(([value, label]) => (
        <label key={value} className="flex min-h-9 items-center gap-2.5">
          <input
            type="radio"
            className="accent-ink"
            name="on-conflict"
            value={value}
            checked={choice === value}
            onChange={() => onChange(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

function ImportSteps({ progress: { done, of }, label }: { progress: PostImportProgress; label: string }) {
  return (
    <Progress label={label} value={done} max={of}>
      <span role="status">
        {label}: {done.toLocaleString('en')} of {of.toLocaleString('en')}
      </span>
    </Progress>
  )
}

/** The dry run used the first choice. For an existing post the other outcome follows from it. */
function planned(report: PostImportResult, choice: ConflictChoice): PostImportResult {
  return report.map((file) =>
    file.state === 'kept' && choice === 'replace'
      ? { ...file, state: 'changed' }
      : file.state === 'changed' && choice === 'skip'
        ? { ...file, state: 'kept' }
        : file,
  )
}

function whyNot(report: PostImportResult | undefined, choice: ConflictChoice): { unavailable?: string } {
  if (!report) return { unavailable: 'Choose an archive or a folder first.' }
  const some = planned(report, choice).some(({ state }) => state === 'new' || state === 'changed')
  return some ? {} : { unavailable: 'There is nothing to import.' }
}

type ChooseFilesProps = { busy: boolean; onChoose: (files: readonly File[]) => void }

/** A zip archive, or a folder that the browser packs. */
function ChooseFiles({ busy, onChoose }: ChooseFilesProps) {
  const archive = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = ({ target }: React.ChangeEvent<HTMLInputElement>) => {
    const files = [...(target.files ?? [])].filter(({ webkitRelativePath }) => !/(^|\/)\./.test(webkitRelativePath))
    target.value = ''
    if (files.length > 0) onChoose(files)
  }
  // React's types lack this attribute, although all browsers support it.
  const ofFolder: Record<string, string> = { webkitdirectory: '' }
  const hidden = { type: 'file', className: 'sr-only', tabIndex: -1, onChange: take } as const
  return (
    <div className="grid gap-3">
      <p className="text-small text-muted">
        Choose an export of WordPress (.xml) or Ghost (.json), or Markdown files with front matter. Put pictures into the same zip archive
        or folder. Posts keep their dates, and old addresses lead to the new ones.
      </p>
      <input {...hidden} ref={archive} accept=".zip,.xml,.json,application/zip" aria-label="File" />
      <input {...hidden} ref={folder} {...ofFolder} aria-label="Folder" />
      <div className="flex flex-wrap gap-3">
        <Button type="button" look="quiet" busy={busy} onClick={() => archive.current?.click()}>
          Choose a file
        </Button>
        <Button type="button" look="quiet" busy={busy} onClick={() => folder.current?.click()}>
          Choose a folder
        </Button>
      </div>
    </div>
  )
}

type PostImportProgress = { done: number; of: number }

/** The two steps of an import: a dry run, then the import. */
function useImport(onConflict: ConflictChoice) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<PostImportProgress>()
  const [archive, setArchive] = useState<Blob>()
  const follow = async (blob: Blob, dry: boolean) => {
    setProgress(undefined)
    let done = 0
    return sendArchive({ archive: blob, dry, onConflict, onFile: ({ of }) => setProgress({ done: (done += 1), of }) })
  }
  const check = useMutation({
    async mutationFn(files: readonly File[]) {
      const [first] = files
      const isArchive = files.length === 1 && /\.zip$/i.test(first?.name ?? '')
      const blob = isArchive && first ? first : await packFolder(files)
      setArchive(blob)
      return follow(blob, true)
    },
    onError: failureToast('Import not possible'),
  })
  const write = useMutation({
    mutationFn: async () => (archive ? follow(archive, false) : []),
    onError: failureToast('Import stopped'),
    onSettled: async () => client.invalidateQueries({ predicate: ({ queryKey: [key] }) => typeof key === 'string' && isOfBlog(key) }),
  })
  return { check, write, progress: check.isPending || write.isPending ? progress : undefined }
}

function isOfBlog(key: string): boolean {
  return key.startsWith('/api/blog') || key.startsWith('/api/images')
}

type PostImportResult = readonly ImportedFile[]

function failureToast(title: string) {
  return (error: Error) => {
    if (error instanceof ApiError && error.status === 401) return
    const sentence =
      error instanceof ApiError ? error.detail : error instanceof NotSent ? error.message : 'Connection lost. Please try again.'
    const isBusy = error instanceof ApiError && error.status === 409
    toast({ title: isBusy ? 'Import not started' : title, description: sentence, look: 'danger' })
  }
}
