import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ChooseFiles } from './choose-files.tsx'
import { PostImportReport } from './import-report.tsx'
import type { ConflictChoice } from './post-file.ts'
import { type PostImportProgress, type PostImportResult, useImport } from './use-import.tsx'

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
        {progress && <Progress progress={progress} label={write.isPending ? 'Importing' : 'Checking'} />}
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

function Progress({ progress: { done, of }, label }: { progress: PostImportProgress; label: string }) {
  return (
    <p role="status" className="grid gap-1 text-small">
      <progress className="w-full" max={of} value={done} aria-label={label} />
      {label}: {done.toLocaleString('en')} of {of.toLocaleString('en')}
    </p>
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
