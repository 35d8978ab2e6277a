import { useState } from 'react'
import { countOf } from '#app/ui/amount.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { FileDrop } from '#app/ui/file-drop.tsx'
import { Textarea } from '#app/ui/input.tsx'
import { Progress } from '#app/ui/progress.tsx'
import { numberText } from '#app/platform/text/english-number.ts'
import { ImportViewParts } from './import-view.tsx'
import { type ImportNoun, type ImportState, useImport } from './use-import.ts'

type ImportProps<Given, Report> = { noun: ImportNoun<Given, Report>; state: ImportState<Given, Report> }

/** The import of a noun in a panel beside its list. */
export function ImportDialog<Given, Report>({ noun, onClose }: { noun: ImportNoun<Given, Report>; onClose: () => void }) {
  const state = useImport(noun, onClose)
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={onClose}>
        {state.isDone ? 'Close' : (noun.words?.close ?? 'Cancel')}
      </Button>
      {!state.isDone && <ImportButton noun={noun} state={state} />}
    </>
  )
  return (
    <Dialog open side onClose={onClose} title={noun.title ?? `Import ${noun.many}`} actions={actions}>
      <div className="grid grid-cols-1 gap-5">
        <ImportParts noun={noun} state={state} />
      </div>
    </Dialog>
  )
}

/** The same on a page of its own. */
export function ImportPanel<Given, Report>({ noun }: { noun: ImportNoun<Given, Report> }) {
  const state = useImport(noun, () => undefined)
  return (
    <section aria-label="New import" className="grid grid-cols-1 gap-4">
      <ImportParts noun={noun} state={state} />
      <div>
        <ImportButton noun={noun} state={state} />
      </div>
    </section>
  )
}

function ImportParts<Given, Report>({ noun, state }: ImportProps<Given, Report>) {
  const { given, report, isDone, steps, error, check, write, change, look } = state
  return (
    <>
      {!isDone && <Source noun={noun} state={state} />}
      {!isDone && noun.options?.(given, change, report)}
      {error && (
        <p role="alert" className="text-small font-medium text-alarm">
          {error}
        </p>
      )}
      {state.isBusy && noun.renderProgress?.()}
      {steps && (
        <Progress label={write.isPending ? 'Importing' : 'Checking'} value={steps.done} max={steps.of}>
          <span role="status">
            {write.isPending ? 'Importing' : 'Checking'}: {numberText(steps.done)} of {numberText(steps.of)}
          </span>
        </Progress>
      )}
      {report !== undefined && !check.isError && (
        <section aria-label={isDone ? 'Import report' : 'Import preview'} className="grid grid-cols-1 gap-4">
          <ImportViewParts {...noun.view(report, given, noun.hasChanges ? (next) => change(next, 'known') : look)} />
        </section>
      )}
    </>
  )
}

function Source<Given, Report>({
  noun: { file, paste, nameOf, isEmpty },
  state: { given, isBusy, look, start },
}: ImportProps<Given, Report>) {
  return (
    <>
      <FileDrop
        {...file}
        verb={isEmpty(given) ? 'Choose a file' : 'Choose another file'}
        busy={isBusy}
        take={(files) => !isBusy && files && files.length > 0 && look([...files])}
      >
        <p className="text-small text-muted">{nameOf(given) || file.hint}</p>
      </FileDrop>
      {paste && (
        <Field label="Or paste the text" name="text">
          <Textarea
            value={paste.textOf(given)}
            spellCheck={false}
            className="field-sizing-fixed h-24 min-h-0! font-mono text-fine"
            onChange={({ target }) => start(paste.give(given, target.value))}
          />
        </Field>
      )}
    </>
  )
}

/** One button: it looks at what was chosen, then imports it, and says why it cannot. */
function ImportButton<Given, Report>({
  noun,
  state: { given, report, isChecked, isBusy, check, write, look },
}: ImportProps<Given, Report>) {
  const [isAsking, setAsking] = useState(false)
  const seen = isChecked && !check.isPending ? report : undefined
  const ready = seen !== undefined && !noun.hasChanges?.(seen, given) ? seen : undefined
  const question = ready !== undefined ? noun.question?.(given) : undefined
  const reason =
    seen === undefined
      ? noun.isEmpty(given) && (noun.paste ? 'Choose a file or paste its text first.' : 'Choose a file first.')
      : reasonOf(noun, seen, given)
  const verb =
    ready === undefined
      ? 'Preview import'
      : (noun.words?.verb(ready) ?? `Import ${countOf(noun.totalOf(ready, given), noun.one, noun.many)}`)
  const press = ({ detail }: React.MouseEvent) => {
    // The second press of a double click: the check can end between the two, before its result was seen.
    if (detail > 1) return
    if (ready === undefined) look(given)
    else if (question) setAsking(true)
    else write.mutate()
  }
  return (
    <>
      <Button type="button" busy={isBusy} onClick={press} {...(reason && { unavailable: reason })}>
        {check.isPending ? 'Checking...' : write.isPending ? (noun.words?.pending ?? 'Importing...') : verb}
      </Button>
      {question && (
        <ConfirmDialog
          {...question}
          open={isAsking}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            write.mutate()
          }}
        />
      )}
    </>
  )
}

/** Why a file that was checked cannot be imported. */
function reasonOf<Given, Report>(noun: ImportNoun<Given, Report>, report: Report, given: Given): string | undefined {
  const { questions = [], missing, blocked } = noun.view(report, given, () => undefined)
  if (missing ?? blocked) return missing ?? blocked
  if (questions.some(({ chosen }) => chosen === null)) return 'Choose the number and date format first.'
  return noun.totalOf(report, given) === 0 && !noun.hasChanges?.(report, given) ? noun.nothing : undefined
}
