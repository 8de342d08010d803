/** The request of the listing benchmark: all queues, and the first ten waiting jobs of one. */

export const listingQuery = '/api/queues?activeQueue=queue-0&status=waiting&page=1&jobsPerPage=10';
