/** Northwind's tables as entities, in the form that generators of TypeORM entities write, and a view. */

import {
  Column,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  ViewEntity,
} from 'typeorm';
import type { Relation } from 'typeorm';

@Entity('categories')
export class Categories {
  @Column('smallint', { primary: true, name: 'category_id' }) categoryId!: number;
  @Column('character varying', { name: 'category_name', length: 15 }) categoryName!: string;
  @Column('text', { name: 'description', nullable: true }) description!: string | null;
  @Column('bytea', { name: 'picture', nullable: true }) picture!: Buffer | null;
  @OneToMany(() => Products, (products) => products.category) products!: Relation<Products>[];
}

@Entity('customer_demographics')
export class CustomerDemographics {
  @Column('character varying', { primary: true, name: 'customer_type_id', length: 5 })
  customerTypeId!: string;
  @Column('text', { name: 'customer_desc', nullable: true }) customerDesc!: string | null;
  @ManyToMany(() => Customers, (customers) => customers.customerDemographics)
  customers!: Relation<Customers>[];
}

@Entity('customers')
export class Customers {
  @Column('character varying', { primary: true, name: 'customer_id', length: 5 })
  customerId!: string;
  @Column('character varying', { name: 'company_name', length: 40 }) companyName!: string;
  @Column('character varying', { name: 'contact_name', nullable: true, length: 30 })
  contactName!: string | null;
  @Column('character varying', { name: 'contact_title', nullable: true, length: 30 })
  contactTitle!: string | null;
  @Column('character varying', { name: 'address', nullable: true, length: 60 })
  address!: string | null;
  @Column('character varying', { name: 'city', nullable: true, length: 15 }) city!: string | null;
  @Column('character varying', { name: 'region', nullable: true, length: 15 })
  region!: string | null;
  @Column('character varying', { name: 'postal_code', nullable: true, length: 10 })
  postalCode!: string | null;
  @Column('character varying', { name: 'country', nullable: true, length: 15 })
  country!: string | null;
  @Column('character varying', { name: 'phone', nullable: true, length: 24 }) phone!: string | null;
  @Column('character varying', { name: 'fax', nullable: true, length: 24 }) fax!: string | null;
  @ManyToMany(() => CustomerDemographics, (demographics) => demographics.customers)
  @JoinTable({
    name: 'customer_customer_demo',
    joinColumns: [{ name: 'customer_id', referencedColumnName: 'customerId' }],
    inverseJoinColumns: [{ name: 'customer_type_id', referencedColumnName: 'customerTypeId' }],
  })
  customerDemographics!: Relation<CustomerDemographics>[];
  @OneToMany(() => Orders, (orders) => orders.customer) orders!: Relation<Orders>[];
}

@Entity('employees')
export class Employees {
  @Column('smallint', { primary: true, name: 'employee_id' }) employeeId!: number;
  @Column('character varying', { name: 'last_name', length: 20 }) lastName!: string;
  @Column('character varying', { name: 'first_name', length: 10 }) firstName!: string;
  @Column('character varying', { name: 'title', nullable: true, length: 30 }) title!: string | null;
  @Column('date', { name: 'birth_date', nullable: true }) birthDate!: string | null;
  @Column('date', { name: 'hire_date', nullable: true }) hireDate!: string | null;
  @Column('bytea', { name: 'photo', nullable: true }) photo!: Buffer | null;
  @Column('text', { name: 'notes', nullable: true }) notes!: string | null;
  @ManyToOne(() => Employees, (employees) => employees.employees)
  @JoinColumn([{ name: 'reports_to', referencedColumnName: 'employeeId' }])
  reportsTo!: Relation<Employees> | null;
  @OneToMany(() => Employees, (employees) => employees.reportsTo)
  employees!: Relation<Employees>[];
  @ManyToMany(() => Territories, (territories) => territories.employees)
  @JoinTable({
    name: 'employee_territories',
    joinColumns: [{ name: 'employee_id', referencedColumnName: 'employeeId' }],
    inverseJoinColumns: [{ name: 'territory_id', referencedColumnName: 'territoryId' }],
  })
  territories!: Relation<Territories>[];
  @OneToMany(() => Orders, (orders) => orders.employee) orders!: Relation<Orders>[];
}

@Entity('suppliers')
export class Suppliers {
  @Column('smallint', { primary: true, name: 'supplier_id' }) supplierId!: number;
  @Column('character varying', { name: 'company_name', length: 40 }) companyName!: string;
  @Column('character varying', { name: 'city', nullable: true, length: 15 }) city!: string | null;
  @Column('text', { name: 'homepage', nullable: true }) homepage!: string | null;
  @OneToMany(() => Products, (products) => products.supplier) products!: Relation<Products>[];
}

@Entity('products')
export class Products {
  @Column('smallint', { primary: true, name: 'product_id' }) productId!: number;
  @Column('character varying', { name: 'product_name', length: 40 }) productName!: string;
  @Column('character varying', { name: 'quantity_per_unit', nullable: true, length: 20 })
  quantityPerUnit!: string | null;
  @Column('real', { name: 'unit_price', nullable: true }) unitPrice!: number | null;
  @Column('smallint', { name: 'units_in_stock', nullable: true }) unitsInStock!: number | null;
  @Column('smallint', { name: 'reorder_level', nullable: true }) reorderLevel!: number | null;
  @Column('integer', { name: 'discontinued' }) discontinued!: number;
  @ManyToOne(() => Categories, (categories) => categories.products)
  @JoinColumn([{ name: 'category_id', referencedColumnName: 'categoryId' }])
  category!: Relation<Categories> | null;
  @ManyToOne(() => Suppliers, (suppliers) => suppliers.products)
  @JoinColumn([{ name: 'supplier_id', referencedColumnName: 'supplierId' }])
  supplier!: Relation<Suppliers> | null;
  @OneToMany(() => OrderDetails, (details) => details.product)
  orderDetails!: Relation<OrderDetails>[];
}

@Entity('region')
export class Region {
  @Column('smallint', { primary: true, name: 'region_id' }) regionId!: number;
  @Column('character varying', { name: 'region_description', length: 60 })
  regionDescription!: string;
  @OneToMany(() => Territories, (territories) => territories.region)
  territories!: Relation<Territories>[];
}

@Entity('shippers')
export class Shippers {
  @Column('smallint', { primary: true, name: 'shipper_id' }) shipperId!: number;
  @Column('character varying', { name: 'company_name', length: 40 }) companyName!: string;
  @Column('character varying', { name: 'phone', nullable: true, length: 24 }) phone!: string | null;
  @OneToMany(() => Orders, (orders) => orders.shipVia) orders!: Relation<Orders>[];
}

@Entity('orders')
export class Orders {
  @Column('smallint', { primary: true, name: 'order_id' }) orderId!: number;
  @Column('date', { name: 'order_date', nullable: true }) orderDate!: string | null;
  @Column('date', { name: 'required_date', nullable: true }) requiredDate!: string | null;
  @Column('date', { name: 'shipped_date', nullable: true }) shippedDate!: string | null;
  @Column('real', { name: 'freight', nullable: true }) freight!: number | null;
  @Column('character varying', { name: 'ship_country', nullable: true, length: 15 })
  shipCountry!: string | null;
  @ManyToOne(() => Customers, (customers) => customers.orders)
  @JoinColumn([{ name: 'customer_id', referencedColumnName: 'customerId' }])
  customer!: Relation<Customers> | null;
  @ManyToOne(() => Employees, (employees) => employees.orders)
  @JoinColumn([{ name: 'employee_id', referencedColumnName: 'employeeId' }])
  employee!: Relation<Employees> | null;
  @ManyToOne(() => Shippers, (shippers) => shippers.orders)
  @JoinColumn([{ name: 'ship_via', referencedColumnName: 'shipperId' }])
  shipVia!: Relation<Shippers> | null;
  @OneToMany(() => OrderDetails, (details) => details.order)
  orderDetails!: Relation<OrderDetails>[];
}

@Entity('territories')
export class Territories {
  @Column('character varying', { primary: true, name: 'territory_id', length: 20 })
  territoryId!: string;
  @Column('character varying', { name: 'territory_description', length: 60 })
  territoryDescription!: string;
  @ManyToMany(() => Employees, (employees) => employees.territories)
  employees!: Relation<Employees>[];
  @ManyToOne(() => Region, (region) => region.territories)
  @JoinColumn([{ name: 'region_id', referencedColumnName: 'regionId' }])
  region!: Relation<Region>;
}

@Entity('order_details')
export class OrderDetails {
  @Column('smallint', { primary: true, name: 'order_id' }) orderId!: number;
  @Column('smallint', { primary: true, name: 'product_id' }) productId!: number;
  @Column('real', { name: 'unit_price' }) unitPrice!: number;
  @Column('smallint', { name: 'quantity' }) quantity!: number;
  @Column('real', { name: 'discount' }) discount!: number;
  @ManyToOne(() => Orders, (orders) => orders.orderDetails)
  @JoinColumn([{ name: 'order_id', referencedColumnName: 'orderId' }])
  order!: Relation<Orders>;
  @ManyToOne(() => Products, (products) => products.orderDetails)
  @JoinColumn([{ name: 'product_id', referencedColumnName: 'productId' }])
  product!: Relation<Products>;
}

@Entity('us_states')
export class UsStates {
  @Column('smallint', { primary: true, name: 'state_id' }) stateId!: number;
  @Column('character varying', { name: 'state_name', nullable: true, length: 100 })
  stateName!: string | null;
  @Column('character varying', { name: 'state_abbr', nullable: true, length: 2 })
  stateAbbr!: string | null;
}

@ViewEntity('current_products')
export class CurrentProducts {
  @PrimaryColumn('smallint', { name: 'product_id' }) productId!: number;
  @Column('character varying', { name: 'product_name' }) productName!: string;
  @Column('real', { name: 'unit_price', nullable: true }) unitPrice!: number | null;
}

export const entities = {
  categories: Categories,
  customerDemographics: CustomerDemographics,
  customers: Customers,
  employees: Employees,
  suppliers: Suppliers,
  products: Products,
  region: Region,
  shippers: Shippers,
  orders: Orders,
  territories: Territories,
  orderDetails: OrderDetails,
  usStates: UsStates,
  currentProducts: CurrentProducts,
};
