import { declareFailedJobs } from '#platform/failed-jobs-graph.ts';
import { builder } from '../../builder.ts';

declareFailedJobs(builder, 'residential', { list: 'supportResidentialFailedJobs', again: 'supportResidentialJobAgain' });
