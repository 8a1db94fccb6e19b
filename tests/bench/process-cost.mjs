import { existsSync, readFileSync } from 'node:fs'

/** Whether the system tells what a process used, as Linux does. */
export const tellsCost = existsSync('/proc/self/schedstat')

/** Milliseconds of CPU time of a process's main thread, where Node runs JavaScript. @param {number} pid */
export const mainThreadCpu = (pid) => Number(read(`/proc/${pid}/task/${pid}/schedstat`).split(' ')[0]) / 1e6

/** Resident memory of a process in MB. @param {number} pid */
export const residentMemory = (pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024

const read = (/** @type {string} */ path) => readFileSync(path, 'utf8')
