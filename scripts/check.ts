import { execFileSync } from 'node:child_process'
import { embeddedTests, staticSteps } from './checks.ts'
import { runSteps } from './steps.ts'

execFileSync('react-router', ['typegen'], { stdio: 'inherit' })
process.exitCode = (await runSteps([embeddedTests], staticSteps)) ? 0 : 1
