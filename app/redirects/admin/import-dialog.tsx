import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import type { Format } from '#app/redirects/formats/rule-file.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ChooseFile } from './choose-file.tsx'
import { ImportReportView } from './import-report.tsx'
import { countStates, REDIRECT_IMPORT, importReport } from './rule-import.ts'
import { redirectData, redirectErrorText } from './redirect-errors.ts'

type Given = { text: string; format: Format; replace: boolean; confirm: boolean }

/** Two steps: the report of a dry run comes before anything is written. */
export function RedirectImportDialog({ close }: { close: () => void }) {
  const [given, setGiven] = useState<Given>({ text: '', format: 'csv', replace: false, confirm: false })
  const [replacing, setReplacing] = useState(false)
  const { look, write } = useImport(given, close)
  const change = (changes: Partial<Given>) => {
    if ('text' in changes || 'format' in changes || 'replace' in changes) look.reset()
    setGiven((known) => ({ ...known, ...changes }))
  }
  const counts = look.data && countStates(look.data.lines)
  const willWrite = counts ? counts.new + (given.confirm ? counts.doubtful : 0) : 0
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={close}>
        Cancel
      </Button>
      {look.data ? (
        <Button
          type="button"
          busy={write.isPending}
          {...(willWrite === 0 && { unavailable: 'There is nothing to import.' })}
          onClick={() => (given.replace ? setReplacing(true) : write.mutate())}
        >
          {write.isPending ? 'Importing...' : willWrite === 1 ? 'Import 1 redirect' : `Import ${willWrite.toLocaleString('en')} redirects`}
        </Button>
      ) : (
        <Button
          type="button"
          busy={look.isPending}
          {...(given.text.trim() === '' && { unavailable: 'Choose a file or paste text first.' })}
          onClick={() => look.mutate()}
        >
          {look.isPending ? 'Checking...' : 'Preview import'}
        </Button>
      )}
    </>
  )
  return (
    <Dialog open side onClose={close} title="Import redirects" actions={actions}>
      <div className="grid gap-5">
        <ChooseFile given={given} change={change} error={look.error ? redirectErrorText(look.error) : undefined} />
        <div role="status">
          {look.data && <ImportReportView report={look.data} confirm={given.confirm} setConfirm={(confirm) => change({ confirm })} />}
        </div>
      </div>
      <ConfirmDialog
        open={replacing}
        onClose={() => setReplacing(false)}
        onConfirm={() => write.mutate()}
        title="Replace all redirects?"
        confirm={write.isPending ? 'Importing...' : 'Replace all'}
        busy={write.isPending}
      >
        <p>This deletes every current redirect and its hit count. Export them first to keep a copy.</p>
      </ConfirmDialog>
    </Dialog>
  )
}

function useImport(given: Given, close: () => void) {
  const send = async (dry: boolean) => {
    const answer = await apiRequest('POST', `${REDIRECT_IMPORT}?dry=${dry}`, given)
    return importReport.parse(await answer.json())
  }
  const look = useMutation({ mutationFn: () => send(true) })
  const write = useAction({
    send: async () => send(false),
    onDone: close,
    done: ({ written }) => (written === 1 ? '1 redirect imported' : `${written.toLocaleString('en')} redirects imported`),
    failed: 'Import failed',
    onRefused() {
      look.reset()
      return false
    },
    touches: redirectData,
  })
  return { look, write }
}
