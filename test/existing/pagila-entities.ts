/** Pagila's tables as entities, in the form that generators of TypeORM entities write, and a view. */

import {
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  ViewEntity,
} from 'typeorm';
import type { Relation } from 'typeorm';

@Entity('country')
export class Country {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'country_id' }) countryId!: number;
  @Column('text', { name: 'country' }) country!: string;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @OneToMany(() => City, (city) => city.country) cities!: Relation<City>[];
}

@Entity('city')
export class City {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'city_id' }) cityId!: number;
  @Column('text', { name: 'city' }) city!: string;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @OneToMany(() => Address, (address) => address.city) addresses!: Relation<Address>[];
  @ManyToOne(() => Country, (country) => country.cities)
  @JoinColumn([{ name: 'country_id', referencedColumnName: 'countryId' }])
  country!: Relation<Country>;
}

@Entity('address')
export class Address {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'address_id' }) addressId!: number;
  @Column('text', { name: 'address' }) address!: string;
  @Column('text', { name: 'address2', nullable: true }) address2!: string | null;
  @Column('text', { name: 'district' }) district!: string;
  @Column('text', { name: 'postal_code', nullable: true }) postalCode!: string | null;
  @Column('text', { name: 'phone' }) phone!: string;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @ManyToOne(() => City, (city) => city.addresses)
  @JoinColumn([{ name: 'city_id', referencedColumnName: 'cityId' }])
  city!: Relation<City>;
  @OneToMany(() => Customer, (customer) => customer.address) customers!: Relation<Customer>[];
  @OneToMany(() => Staff, (staff) => staff.address) staff!: Relation<Staff>[];
  @OneToMany(() => Store, (store) => store.address) stores!: Relation<Store>[];
}

@Entity('language')
export class Language {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'language_id' }) languageId!: number;
  @Column('character', { name: 'name', length: 20 }) name!: string;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @OneToMany(() => Film, (film) => film.language) films!: Relation<Film>[];
  @OneToMany(() => Film, (film) => film.originalLanguage) films2!: Relation<Film>[];
}

@Entity('category')
export class Category {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'category_id' }) categoryId!: number;
  @Column('text', { name: 'name' }) name!: string;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @OneToMany(() => FilmCategory, (each) => each.category) filmCategories!: Relation<FilmCategory>[];
}

@Entity('actor')
export class Actor {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'actor_id' }) actorId!: number;
  @Column('text', { name: 'first_name' }) firstName!: string;
  @Column('text', { name: 'last_name' }) lastName!: string;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @OneToMany(() => FilmActor, (filmActor) => filmActor.actor) filmActors!: Relation<FilmActor>[];
}

@Index('film_fulltext_idx', ['fulltext'], {})
@Index('idx_title', ['title'], {})
@Entity('film')
export class Film {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'film_id' }) filmId!: number;
  @Column('text', { name: 'title' }) title!: string;
  @Column('text', { name: 'description', nullable: true }) description!: string | null;
  @Column('integer', { name: 'release_year', nullable: true }) releaseYear!: number | null;
  @Column('smallint', { name: 'rental_duration' }) rentalDuration!: number;
  @Column('numeric', { name: 'rental_rate', precision: 4, scale: 2 }) rentalRate!: string;
  @Column('smallint', { name: 'length', nullable: true }) length!: number | null;
  @Column('numeric', { name: 'replacement_cost', precision: 5, scale: 2 }) replacementCost!: string;
  @Column('enum', { name: 'rating', nullable: true, enum: ['G', 'PG', 'PG-13', 'R', 'NC-17'] })
  rating!: 'G' | 'PG' | 'PG-13' | 'R' | 'NC-17' | null;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @Column('text', { name: 'special_features', nullable: true, array: true })
  specialFeatures!: string[] | null;
  @Column('tsvector', { name: 'fulltext' }) fulltext!: string;
  @Column('numeric', { name: 'revenue_projection', nullable: true, precision: 5, scale: 2 })
  revenueProjection!: string | null;
  @ManyToOne(() => Language, (language) => language.films)
  @JoinColumn([{ name: 'language_id', referencedColumnName: 'languageId' }])
  language!: Relation<Language>;
  @ManyToOne(() => Language, (language) => language.films2)
  @JoinColumn([{ name: 'original_language_id', referencedColumnName: 'languageId' }])
  originalLanguage!: Relation<Language> | null;
  @OneToMany(() => FilmActor, (filmActor) => filmActor.film) filmActors!: Relation<FilmActor>[];
  @OneToMany(() => FilmCategory, (each) => each.film) filmCategories!: Relation<FilmCategory>[];
  @OneToMany(() => Inventory, (inventory) => inventory.film) inventories!: Relation<Inventory>[];
}

@Entity('film_actor')
export class FilmActor {
  @Column('integer', { primary: true, name: 'actor_id' }) actorId!: number;
  @Column('integer', { primary: true, name: 'film_id' }) filmId!: number;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @ManyToOne(() => Actor, (actor) => actor.filmActors)
  @JoinColumn([{ name: 'actor_id', referencedColumnName: 'actorId' }])
  actor!: Relation<Actor>;
  @ManyToOne(() => Film, (film) => film.filmActors)
  @JoinColumn([{ name: 'film_id', referencedColumnName: 'filmId' }])
  film!: Relation<Film>;
}

@Entity('film_category')
export class FilmCategory {
  @Column('integer', { primary: true, name: 'film_id' }) filmId!: number;
  @Column('integer', { primary: true, name: 'category_id' }) categoryId!: number;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @ManyToOne(() => Category, (category) => category.filmCategories)
  @JoinColumn([{ name: 'category_id', referencedColumnName: 'categoryId' }])
  category!: Relation<Category>;
  @ManyToOne(() => Film, (film) => film.filmCategories)
  @JoinColumn([{ name: 'film_id', referencedColumnName: 'filmId' }])
  film!: Relation<Film>;
}

@Entity('staff')
export class Staff {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'staff_id' }) staffId!: number;
  @Column('text', { name: 'first_name' }) firstName!: string;
  @Column('text', { name: 'last_name' }) lastName!: string;
  @Column('text', { name: 'email', nullable: true }) email!: string | null;
  @Column('boolean', { name: 'active' }) active!: boolean;
  @Column('text', { name: 'username' }) username!: string;
  @Column('text', { name: 'password', nullable: true }) password!: string | null;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @Column('bytea', { name: 'picture', nullable: true }) picture!: Buffer | null;
  @ManyToOne(() => Address, (address) => address.staff)
  @JoinColumn([{ name: 'address_id', referencedColumnName: 'addressId' }])
  address!: Relation<Address>;
  @ManyToOne(() => Store, (store) => store.staff)
  @JoinColumn([{ name: 'store_id', referencedColumnName: 'storeId' }])
  store!: Relation<Store>;
  @OneToMany(() => Store, (store) => store.managerStaff) stores!: Relation<Store>[];
}

@Entity('store')
export class Store {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'store_id' }) storeId!: number;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @ManyToOne(() => Staff, (staff) => staff.stores)
  @JoinColumn([{ name: 'manager_staff_id', referencedColumnName: 'staffId' }])
  managerStaff!: Relation<Staff>;
  @ManyToOne(() => Address, (address) => address.stores)
  @JoinColumn([{ name: 'address_id', referencedColumnName: 'addressId' }])
  address!: Relation<Address>;
  @OneToMany(() => Staff, (staff) => staff.store) staff!: Relation<Staff>[];
  @OneToMany(() => Customer, (customer) => customer.store) customers!: Relation<Customer>[];
}

@Entity('customer')
export class Customer {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'customer_id' }) customerId!: number;
  @Column('text', { name: 'first_name' }) firstName!: string;
  @Column('text', { name: 'last_name' }) lastName!: string;
  @Column('text', { name: 'email', nullable: true }) email!: string | null;
  @Column('boolean', { name: 'activebool' }) activebool!: boolean;
  @Column('date', { name: 'create_date' }) createDate!: string;
  @Column('timestamp with time zone', { name: 'last_update', nullable: true })
  lastUpdate!: Date | null;
  @Column('integer', { name: 'active', nullable: true }) active!: number | null;
  @ManyToOne(() => Address, (address) => address.customers)
  @JoinColumn([{ name: 'address_id', referencedColumnName: 'addressId' }])
  address!: Relation<Address>;
  @ManyToOne(() => Store, (store) => store.customers)
  @JoinColumn([{ name: 'store_id', referencedColumnName: 'storeId' }])
  store!: Relation<Store>;
  @OneToMany(() => Rental, (rental) => rental.customer) rentals!: Relation<Rental>[];
}

@Entity('inventory')
export class Inventory {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'inventory_id' }) inventoryId!: number;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @ManyToOne(() => Film, (film) => film.inventories)
  @JoinColumn([{ name: 'film_id', referencedColumnName: 'filmId' }])
  film!: Relation<Film>;
  @ManyToOne(() => Store)
  @JoinColumn([{ name: 'store_id', referencedColumnName: 'storeId' }])
  store!: Relation<Store>;
  @OneToMany(() => Rental, (rental) => rental.inventory) rentals!: Relation<Rental>[];
}

@Index('idx_unq_rental', ['rentalDate'], { unique: true })
@Entity('rental')
export class Rental {
  @PrimaryGeneratedColumn({ type: 'integer', name: 'rental_id' }) rentalId!: number;
  @Column('timestamp with time zone', { name: 'rental_date' }) rentalDate!: Date;
  @Column('timestamp with time zone', { name: 'return_date', nullable: true })
  returnDate!: Date | null;
  @Column('timestamp with time zone', { name: 'last_update' }) lastUpdate!: Date;
  @ManyToOne(() => Customer, (customer) => customer.rentals)
  @JoinColumn([{ name: 'customer_id', referencedColumnName: 'customerId' }])
  customer!: Relation<Customer>;
  @ManyToOne(() => Inventory, (inventory) => inventory.rentals)
  @JoinColumn([{ name: 'inventory_id', referencedColumnName: 'inventoryId' }])
  inventory!: Relation<Inventory>;
  @ManyToOne(() => Staff)
  @JoinColumn([{ name: 'staff_id', referencedColumnName: 'staffId' }])
  staff!: Relation<Staff>;
  @OneToMany(() => Payment, (payment) => payment.rental) payments!: Relation<Payment>[];
}

@Entity('payment')
export class Payment {
  @Column('integer', { primary: true, name: 'payment_id' }) paymentId!: number;
  @Column('numeric', { name: 'amount', precision: 5, scale: 2 }) amount!: string;
  @Column('timestamp with time zone', { primary: true, name: 'payment_date' }) paymentDate!: Date;
  @ManyToOne(() => Customer)
  @JoinColumn([{ name: 'customer_id', referencedColumnName: 'customerId' }])
  customer!: Relation<Customer>;
  @ManyToOne(() => Rental, (rental) => rental.payments)
  @JoinColumn([{ name: 'rental_id', referencedColumnName: 'rentalId' }])
  rental!: Relation<Rental>;
  @ManyToOne(() => Staff)
  @JoinColumn([{ name: 'staff_id', referencedColumnName: 'staffId' }])
  staff!: Relation<Staff>;
}

@ViewEntity('film_list')
export class FilmList {
  @PrimaryColumn('integer') fid!: number;
  @Column('text') title!: string;
  @Column('text', { nullable: true }) category!: string | null;
  @Column('numeric', { precision: 4, scale: 2 }) price!: string;
  @Column('text', { nullable: true }) actors!: string | null;
}

export const entities = {
  country: Country,
  city: City,
  address: Address,
  language: Language,
  category: Category,
  actor: Actor,
  film: Film,
  filmActor: FilmActor,
  filmCategory: FilmCategory,
  staff: Staff,
  store: Store,
  customer: Customer,
  inventory: Inventory,
  rental: Rental,
  payment: Payment,
  filmList: FilmList,
};
