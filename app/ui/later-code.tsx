import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Failed } from './failed.tsx'
import { Loading } from './loading.tsx'
import { PendingBar } from './pending-bar.tsx'
import { Skeleton } from './skeleton.tsx'
import { dismissToast, toast } from './toast.ts'

/** Code that a page does not need to be read. It is loaded once, when someone reaches for what it does. */
export type LaterCode<Module> = {
  /** The subject of the message that it did not load. */
  what: string
  /** The module, once it is loaded. */
  read: () => Module | undefined
  load: () => Promise<Module>
  /** Loads it without a word, for a pointer or the focus that comes near. */
  warm: () => void
}

export function laterCode<Module>(what: string, load: () => Promise<Module>): LaterCode<Module> {
  let loaded: Module | undefined
  const now = async () => (loaded ??= await load())
  return { what, read: () => loaded, load: now, warm: () => void now().catch(() => undefined) }
}

/**
 * The code, once it was asked for and is there. `ask` is for a press: a bar shows that it takes a moment, and a toast that it failed, with a button to
 * try again.
 */
export function useLaterCode<Module>(code: LaterCode<Module>) {
  const [module, setModule] = useState<Module>()
  const [isAsked, setAsked] = useState(false)
  const give = (loaded: Module) => {
    setAsked(false)
    setModule(() => loaded)
  }
  const ask = () => {
    const loaded = code.read()
    if (loaded) return give(loaded)
    setAsked(true)
    code.load().then(give, () => {
      setAsked(false)
      tellUnloaded(code.what, ask)
    })
  }
  return { module, ask, isAsked, pending: <PendingBar isOn={isAsked} /> }
}

function tellUnloaded(what: string, retry: () => void) {
  const again = () => {
    dismissToast()
    retry()
  }
  toast({
    title: `${what} did not load`,
    description: 'The connection may have been interrupted.',
    look: 'danger',
    button: (
      <Button type="button" look="quiet" size="small" onClick={again}>
        Try again
      </Button>
    ),
  })
}

type LaterProps<Module> = { code: LaterCode<Module>; children: (module: Module) => React.ReactNode }

/** A part of a page whose code is loaded when the part is shown. */
export function Later<Module>({ code, children }: LaterProps<Module>) {
  const { module, error, retry } = useCodeNow(code)
  if (module) return children(module)
  if (error) return <Failed title={`${code.what} did not load`} error={error} retry={retry} />
  return (
    <>
      <Loading>Loading...</Loading>
      <Skeleton lines={8} />
    </>
  )
}

/** A dialog whose code is loaded when the dialog opens. */
export function LaterDialog<Module>({ code, onClose, children }: LaterProps<Module> & { onClose: () => void }) {
  const { module, error, retry } = useCodeNow(code)
  if (module) return children(module)
  if (!error) return <PendingBar isOn />
  return (
    <Dialog open onClose={onClose} title={`${code.what} did not load`}>
      <Failed error={error} retry={retry} />
    </Dialog>
  )
}

function useCodeNow<Module>(code: LaterCode<Module>) {
  const [module, setModule] = useState(code.read)
  const [error, setError] = useState<Error>()
  const retry = () => {
    setError(undefined)
    code.load().then(
      (loaded) => setModule(() => loaded),
      (reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))),
    )
  }
  const begin = useEffectEvent(retry)
  useEffect(() => {
    // Loading starts here; its state follows when it ends.
    // oxlint-disable-next-line react/set-state-in-effect
    if (!code.read()) begin()
  }, [code])
  return { module, error, retry }
}
