import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ChooseFiles } from './choose-files.tsx'
import { ImportReport } from './import-report.tsx'
import type { ConflictChoice } from './post-file.ts'
import { type Progress, type Report, useImport } from './use-import.tsx'

/** Posts from files: they are looked at first, and nothing is written before the report of that has been seen. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
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
        {progress && <Told progress={progress} label={write.isPending ? 'Importing' : 'Looking at'} />}
        {write.data ? (
          <ImportReport files={write.data} isDone />
        ) : (
          check.data && <ImportReport files={planned(check.data, onConflict)} isDone={false} />
        )}
      </div>
    </Dialog>
  )
}

function Conflicts({ choice, onChange }: { choice: ConflictChoice; onChange: (choice: ConflictChoice) => void }) {
  const options = [
    ['skip', 'Keep the post that is there'],
    ['replace', 'Replace it; its versions stay'],
  ] as const
  return (
    <fieldset className="grid gap-2 text-small">
      <legend className="pb-1 font-semibold">Where a post has the same slug</legend>
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

function Told({ progress: { done, of }, label }: { progress: Progress; label: string }) {
  return (
    <p role="status" className="grid gap-1 text-small">
      <progress className="w-full" max={of} value={done} aria-label={label} />
      {label}: {done.toLocaleString('en')} of {of.toLocaleString('en')}
    </p>
  )
}

/** The server looked with the first choice; of a post that is there it can say the same for both. */
function planned(report: Report, choice: ConflictChoice): Report {
  return report.map((file) =>
    file.state === 'kept' && choice === 'replace'
      ? { ...file, state: 'changed' }
      : file.state === 'changed' && choice === 'skip'
        ? { ...file, state: 'kept' }
        : file,
  )
}

function whyNot(report: Report | undefined, choice: ConflictChoice): { unavailable?: string } {
  if (!report) return { unavailable: 'Choose an archive or a folder first.' }
  const some = planned(report, choice).some(({ state }) => state === 'new' || state === 'changed')
  return some ? {} : { unavailable: 'There is nothing in it to import.' }
}
