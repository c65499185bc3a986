// The composing thread: judges one candidate, answers, and ends.
import { parentPort, workerData } from 'node:worker_threads';
import { type CandidateQuestion, judgeCandidate } from './candidate.ts';

parentPort?.postMessage(judgeCandidate(workerData as CandidateQuestion));
