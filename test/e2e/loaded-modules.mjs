// Writes the modules of Node that the process has loaded to standard error, when it gets SIGUSR2.
process.on('SIGUSR2', () => process.stderr.write(`loaded: ${process.moduleLoadList.join(' ')}\n`))
