import { Suspense, use, useState } from 'react'
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
  /** The module if it is there, otherwise the end of its loading. After a failure, the next call tries again. */
  load: () => Arrival<Module> | Promise<Arrival<Module>>
  /** Loads it without a word, for a pointer or the focus that comes near. */
  warm: () => void
}

type Arrival<Module> = { module: Module } | { error: Error }

export function laterCode<Module>(what: string, load: () => Promise<Module>): LaterCode<Module> {
  let arrived: Arrival<Module> | undefined
  let coming: Promise<Arrival<Module>> | undefined
  const begin = () =>
    load()
      .then(
        (module) => (arrived = { module }),
        (reason: unknown) => ({ error: reason instanceof Error ? reason : new Error(String(reason)) }),
      )
      .finally(() => (coming = undefined))
  const now = () => arrived ?? (coming ??= begin())
  return { what, load: now, warm: () => void now() }
}

/**
 * The code, once it was asked for and is there. `ask` is for a press: a bar shows that it takes a moment, and a toast that it failed, with a button to
 * try again.
 */
export function useLaterCode<Module>(code: LaterCode<Module>) {
  const [module, setModule] = useState<Module>()
  const [isAsked, setAsked] = useState(false)
  const give = (arrival: Arrival<Module>) => {
    setAsked(false)
    if ('error' in arrival) tellUnloaded(code.what, ask)
    else setModule(() => arrival.module)
  }
  const ask = () => {
    const arrival = code.load()
    if (!(arrival instanceof Promise)) return give(arrival)
    setAsked(true)
    void arrival.then(give)
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
export function Later<Module>({ code, children, waiting = lines }: LaterProps<Module> & { waiting?: React.ReactNode }) {
  const failed = (error: Error, retry: () => void) => <Failed title={`${code.what} did not load`} error={error} retry={retry} />
  return <LaterPart code={code} render={children} waiting={waiting} failed={failed} />
}

const lines = (
  <>
    <Loading>Loading...</Loading>
    <Skeleton lines={8} />
  </>
)

/** A dialog whose code is loaded when the dialog opens. */
export function LaterDialog<Module>({ code, onClose, children }: LaterProps<Module> & { onClose: () => void }) {
  const failed = (error: Error, retry: () => void) => (
    <Dialog open onClose={onClose} title={`${code.what} did not load`}>
      <Failed error={error} retry={retry} />
    </Dialog>
  )
  return <LaterPart code={code} render={children} waiting={<PendingBar isOn />} failed={failed} />
}

type LaterPartProps<Module> = {
  code: LaterCode<Module>
  render: (module: Module) => React.ReactNode
  waiting: React.ReactNode
  failed: (error: Error, retry: () => void) => React.ReactNode
}

function LaterPart<Module>(props: LaterPartProps<Module>) {
  const [attempt, setAttempt] = useState(0)
  return <Attempt {...props} key={attempt} retry={() => setAttempt(attempt + 1)} />
}

type AttemptProps<Module> = LaterPartProps<Module> & { retry: () => void }

function Attempt<Module>(props: AttemptProps<Module>) {
  const [arrival] = useState(props.code.load)
  return (
    <Suspense fallback={props.waiting}>
      <Arrived {...props} arrival={arrival} />
    </Suspense>
  )
}

type ArrivedProps<Module> = AttemptProps<Module> & { arrival: ReturnType<LaterCode<Module>['load']> }

function Arrived<Module>({ arrival, render, failed, retry }: ArrivedProps<Module>) {
  const arrived = arrival instanceof Promise ? use(arrival) : arrival
  return 'error' in arrived ? failed(arrived.error, retry) : render(arrived.module)
}
